// SPDX-License-Identifier: Apache-2.0
// Parsers that cut a reply into pieces: think, tags, lists, sentences, object_lines.
#include "awry/parse/anomalies.h"
#include "awry/parse/lists.h"
#include "awry/parse/sentences.h"
#include "awry/parse/tags.h"
#include "awry/parse/think.h"
#include "properties.h"

namespace awry::fuzz {

using namespace awry::parse;

void run_think(std::string_view input) {
  for (UnclosedThinking unclosed : {UnclosedThinking::kMayHoldAnswer, UnclosedThinking::kIsThinking}) {
    const Parsed<ThinkSplit> split = split_thinking(input, unclosed);
    require_notes(split.tolerated);
    const ThinkSplit& value = split.value;
    require(value.thinking.size() + value.answer.size() <= 2 * input.size(), "nothing is made up");
    require(trim(value.answer) == value.answer && trim(value.thinking) == value.thinking,
            "pieces are trimmed");
    if (!is_part_of("<", input)) require(value.answer == trim(input), "without tags all is answer");
    const std::string wrapped = "<think>x</think>" + value.answer;
    if (is_part_of("<", value.answer)) continue;
    require(split_thinking(wrapped, unclosed).value.answer == value.answer, "an answer reads back");
  }
}

void run_tags(std::string_view input) {
  static constexpr std::string_view kKnown[] = {"CHOICE", "CHOICES",   "MASK",
                                                "PARTS",  "SENTENCES", "EXPLANATION"};
  for (std::string_view name : kKnown) {
    const auto tag = last_tag(input, name, kKnown);
    require_said(tag);
    if (!tag) {
      require(tag.error().kind == ErrorKind::kNotFound, "a tag is there or it is not");
      continue;
    }
    require(is_part_of(tag->value, input), "the body is a piece of the reply");
    // Stars at the ends of a body pass for the tag's own when they stand apart.
    if (is_part_of("<", tag->value) || is_part_of("**", tag->value)) continue;
    const std::string wrapped = "<" + std::string(name) + ">" + tag->value + "</" + std::string(name) + ">";
    const auto again = last_tag(wrapped, name, kKnown);
    require(again && again->value == tag->value, "a body reads back");
  }
}

void run_lists(std::string_view input) {
  const TextList list = read_list(input);
  std::size_t bytes = list.preamble.size();
  for (const ListItem& item : list.items) {
    bytes += item.text.size();
    require(trim(item.text) == item.text, "items are trimmed");
    require(!item.number || (*item.number >= 0 && *item.number <= 999), "item numbers are small");
  }
  require(bytes <= input.size(), "nothing is made up");
  for (std::string_view line : split_lines(input)) {
    const auto marker = list_marker(line);
    require(!marker || (marker->length > 0 && marker->length <= line.size()), "a marker is in its line");
  }
}

void run_sentences(std::string_view input) {
  const std::vector<std::string> sentences = read_sentences(input);
  for (const std::string& sentence : sentences) {
    require(!sentence.empty() && trim(sentence) == sentence, "sentences are trimmed and say something");
    require(is_valid_utf8(sentence), "sentences are valid text");
  }
  if (says_nothing(input)) require(sentences.empty(), "'none' has no sentences");

  static const PartName kParts[] = {{"caption", {"figure caption"}},
                                    {"related", {"related sentences", "text"}}};
  const auto parts = read_parts(input, kParts);
  require_said(parts);
  if (!parts) return;
  require(parts->value.size() <= 2, "each part once");
  const auto again = read_parts(join(parts->value, ", "), kParts);
  require(again && again->value == parts->value, "parts read back");
}

void run_object_lines(std::string_view input) {
  const auto lines = read_object_lines(input);
  require_said(lines);
  if (!lines) return;
  require(!lines->value.empty(), "there is an object");
  std::string printed;
  bool plain = true;
  for (const ObjectLine& line : lines->value) {
    require(!line.name.empty() && !line.description.empty(), "objects have a name and a description");
    require(is_valid_utf8(line.name + line.description), "objects are valid text");
    // Stars, colons and hashes at the ends pass for decoration.
    plain &= (line.name + line.description).find_first_of("#*_:\r\f\v") == std::string::npos;
    printed += "#" + line.name + "#: " + line.description + "\n";
  }
  if (!plain) return;
  const auto again = read_object_lines(printed);
  require(again && again->value == lines->value, "printed objects read back");
}

}  // namespace awry::fuzz
