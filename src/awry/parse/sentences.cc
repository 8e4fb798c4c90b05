// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/sentences.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/base/text.h"
#include "awry/parse/lists.h"
#include "awry/parse/loose_json.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

// Removes blanks and one pair of quotes around a sentence, unless quotes occur inside it as well.
std::string unquoted(std::string_view sentence) {
  std::string_view bare = trim(sentence);
  if (bare.ends_with(',') || bare.ends_with(';')) bare = trim(bare.substr(0, bare.size() - 1));
  struct Pair {
    std::string_view open, close;
  };
  for (const Pair& pair : {Pair{"\"", "\""}, Pair{"'", "'"}, Pair{"\u201c", "\u201d"}, Pair{"**", "**"}}) {
    if (bare.size() <= pair.open.size() + pair.close.size()) continue;
    if (!bare.starts_with(pair.open) || !bare.ends_with(pair.close)) continue;
    const std::string_view inner =
        bare.substr(pair.open.size(), bare.size() - pair.open.size() - pair.close.size());
    if (inner.find(pair.open) == std::string_view::npos) return std::string(trim(inner));
  }
  return std::string(bare);
}

// "one", "two": nothing but quoted pieces with commas or semicolons between.
std::vector<std::string> quoted_pieces(std::string_view body) {
  std::vector<std::string> pieces;
  for (std::size_t at = skip_blanks(body, 0); at < body.size();) {
    if (body[at] != '"') return {};
    const std::size_t end = body.find('"', at + 1);
    if (end == std::string_view::npos) return {};
    pieces.emplace_back(trim(body.substr(at + 1, end - at - 1)));
    at = skip_blanks(body, end + 1);
    if (at < body.size() && (body[at] == ',' || body[at] == ';')) at = skip_blanks(body, at + 1);
  }
  return pieces;
}

void add(std::vector<std::string>& sentences, std::string sentence) {
  if (!sentence.empty() && !says_nothing(sentence)) sentences.push_back(std::move(sentence));
}

std::vector<std::string> strings_of_json_list(std::string_view body) {
  if (!body.starts_with('[') && !body.starts_with('{')) return {};
  const auto list = read_loose_json(body, {.repeated_keys = RepeatedKeys::kNumber});
  if (!list) return {};
  std::vector<std::string> strings;
  for (const Json& item : list->value.json) {
    if (!item.is_string()) return {};
    add(strings, std::string(trim(item.get_ref<const std::string&>())));
  }
  return strings;
}

}  // namespace

std::vector<std::string> read_sentences(std::string_view body) {
  body = trim(body);
  if (says_nothing(body)) return {};
  if (auto strings = strings_of_json_list(body); !strings.empty()) return strings;
  std::vector<std::string> sentences;
  if (const TextList list = read_list(body); !list.items.empty()) {
    for (const ListItem& item : list.items) add(sentences, unquoted(item.text));
    return sentences;
  }
  if (const std::string plain = plain_punctuation(body); plain.starts_with('"')) {
    for (std::string& piece : quoted_pieces(plain)) add(sentences, std::move(piece));
    if (!sentences.empty()) return sentences;
  }
  for (std::string_view line : split_lines(body)) add(sentences, unquoted(line));
  return sentences;
}

Result<Parsed<std::vector<std::string>>> read_parts(std::string_view body, std::span<const PartName> parts) {
  constexpr std::string_view kThing = "parts";
  Parsed<std::vector<std::string>> parsed;
  if (says_nothing(body)) return parsed;
  std::string list = replace_all(plain_punctuation(body), " and ", ",");
  for (char& c : list) {
    if (std::string_view(";/|&+\n\r").find(c) != std::string_view::npos) c = ',';
  }
  bool none = false;
  for (std::string_view piece : split(list, ',')) {
    const std::string words = folded_words(piece);
    if (words.empty()) continue;
    if (says_nothing(words)) {
      none = true;
      continue;
    }
    const auto part = std::ranges::find_if(parts, [&](const PartName& candidate) {
      return folded_words(candidate.name) == words ||
             std::ranges::any_of(candidate.aliases,
                                 [&](auto& alias) { return folded_words(alias) == words; });
    });
    if (part == parts.end()) return unparsable(kThing, body, fmt::format("'{}' is no part", words));
    if (std::ranges::find(parsed.value, part->name) == parsed.value.end()) parsed.value.push_back(part->name);
    if (words != folded_words(part->name)) parsed.tolerate(fmt::format("'{}' for '{}'", words, part->name));
  }
  if (none && !parsed.value.empty()) return unparsable(kThing, body, "it says 'none' and names a part");
  return parsed;
}

}  // namespace awry::parse
