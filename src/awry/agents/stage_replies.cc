// SPDX-License-Identifier: Apache-2.0
#include "awry/agents/stage_replies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "awry/base/text.h"
#include "awry/parse/lists.h"
#include "awry/parse/refusal.h"
#include "awry/parse/tags.h"

namespace awry::agents {
namespace {

bool has_word(const std::vector<std::string>& words, std::span<const std::string_view> wanted) {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return std::ranges::find(wanted, word) != wanted.end(); });
}

}  // namespace

Result<parse::Parsed<std::string>> read_verdict(std::string_view reply) {
  static constexpr std::array<std::string_view, 6> kGenerated = {"generated", "yes", "fake",
                                                                 "synthetic", "ai",  "artificial"};
  static constexpr std::array<std::string_view, 5> kReal = {"real", "no", "photograph", "authentic",
                                                            "genuine"};
  static constexpr std::array<std::string_view, 1> kNot = {"not"}, kTags = {"VERDICT"};
  std::string said;
  if (const auto tag = parse::last_tag(reply, "VERDICT", kTags)) said = tag->value;
  if (said.empty()) said = trim(reply);
  said = said.substr(0, said.find('\n'));
  const std::vector<std::string> words = word_tokens(said);
  // "No, this image is not generated": what is denied counts the other way.
  const bool denied = has_word(words, kNot);
  const bool real = has_word(words, kReal) || (denied && has_word(words, kGenerated));
  const bool generated = has_word(words, kGenerated) && !denied;
  if (real == generated) {
    return parse::unparsable("verdict", reply, "it says neither generated nor real, or both");
  }
  return parse::Parsed<std::string>{.value = std::string(real ? kRealVerdict : kGeneratedVerdict)};
}

Result<parse::Parsed<std::string>> read_words(std::string_view reply) {
  const std::string_view words = trim(reply);
  if (words.empty()) return parse::unparsable("observation", reply, "it says nothing");
  if (parse::declines(words)) return parse::unparsable("observation", reply, "the model declines");
  return parse::Parsed<std::string>{.value = repair_utf8(words)};
}

std::string print_pairs(std::span<const DoubtfulPair> pairs) {
  std::string text;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& [first, second] = pairs[i];
    if (i > 0) text += '\n';
    text += fmt::format("{}: \"{}\" ({}) and \"{}\" ({})", i + 1, first.name, first.description, second.name,
                        second.description);
  }
  return text;
}

Result<parse::Parsed<std::string>> read_same_words(std::string_view reply, std::size_t pairs) {
  parse::Parsed<std::string> parsed;
  bool any = false;
  for (const std::string_view line : split_lines(reply)) {
    const auto marker = parse::list_marker(line);
    const bool same = contains_ignoring_case(line, "same"),
               different = contains_ignoring_case(line, "different");
    if (!marker || !marker->number || same == different) continue;
    if (*marker->number < 1 || static_cast<std::size_t>(*marker->number) > pairs) continue;
    any = true;
    if (same) parsed.value += fmt::format("{} ", *marker->number);
  }
  if (!any) return parse::unparsable("pairs", reply, "no line reads '1: same' or '1: different'");
  return parsed;
}

std::vector<DoubtfulPair> pairs_called_same(std::string_view numbers, std::span<const DoubtfulPair> pairs) {
  std::vector<DoubtfulPair> same;
  for (const std::string& word : word_tokens(numbers)) {
    const auto number = static_cast<std::size_t>(parse_integer(word).value_or(0));
    if (number >= 1 && number <= pairs.size()) same.push_back(pairs[number - 1]);
  }
  return same;
}

}  // namespace awry::agents
