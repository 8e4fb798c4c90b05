// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "awry/base/text.h"
#include "awry/parse/lists.h"
#include "awry/parse/loose_json.h"
#include "awry/parse/loose_json_reader.h"
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

std::size_t double_quote_at(std::string_view text, std::size_t at) {
  const Quote quote = quote_at(text, at);
  return quote.kind == '"' ? quote.length : 0;
}

// "one", "two": nothing but quoted pieces with commas or semicolons between.
std::vector<std::string> quoted_pieces(std::string_view body) {
  std::vector<std::string> pieces;
  for (std::size_t at = skip_blanks(body, 0); at < body.size();) {
    const std::size_t begin = at + double_quote_at(body, at);
    if (begin == at) return {};
    std::size_t end = begin;
    while (end < body.size() && double_quote_at(body, end) == 0) ++end;
    if (end == body.size()) return {};
    pieces.emplace_back(trim(body.substr(begin, end - begin)));
    at = skip_blanks(body, end + double_quote_at(body, end));
    if (at < body.size() && (body[at] == ',' || body[at] == ';')) at = skip_blanks(body, at + 1);
  }
  return pieces;
}

void add(std::vector<std::string>& sentences, std::string_view sentence) {
  if (!says_nothing(sentence)) sentences.push_back(repair_utf8(trim(sentence)));
}

// [..], {..}, or {"sentences": [..]}: strings only. Nothing when it is something else.
std::optional<std::vector<std::string>> strings_of_json(std::string_view body) {
  if (!body.starts_with('[') && !body.starts_with('{')) return std::nullopt;
  const auto read = read_loose_json(body, {.allow_truncated = true, .repeated_keys = RepeatedKeys::kNumber});
  if (!read) return std::nullopt;
  const Json& json = read->value.json;
  const Json& list = json.is_object() && json.size() == 1 && json.front().is_array() ? json.front() : json;
  std::vector<std::string> strings;
  for (const Json& item : list) {
    if (!item.is_string()) return std::nullopt;
    add(strings, item.get_ref<const std::string&>());
  }
  if (strings.empty() && read->value.truncated) return std::nullopt;
  return strings;
}

std::string_view without_fence(std::string_view body) {
  if (!body.starts_with("```")) return body;
  const std::size_t line_end = body.find('\n');
  if (line_end == std::string_view::npos) return body;
  body = trim(body.substr(line_end + 1));
  if (body.ends_with("```")) body.remove_suffix(3);
  return trim(body);
}

}  // namespace

std::vector<std::string> read_sentences(std::string_view body) {
  body = without_fence(trim(body));
  if (says_nothing(body)) return {};
  if (auto strings = strings_of_json(body)) return std::move(*strings);
  std::vector<std::string> sentences;
  if (const TextList list = read_list(body); !list.items.empty()) {
    // "The wrong ones are:" introduces the list; anything else before it is a sentence, too.
    if (!list.preamble.ends_with(':')) {
      for (std::string_view line : split_lines(list.preamble)) add(sentences, unquoted(line));
    }
    for (const ListItem& item : list.items) add(sentences, unquoted(item.text));
    return sentences;
  }
  for (const std::string& piece : quoted_pieces(body)) add(sentences, piece);
  if (!sentences.empty()) return sentences;
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
