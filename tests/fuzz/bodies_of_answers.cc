// SPDX-License-Identifier: Apache-2.0
// Parsers of short answers: choices, blocks, severity, boxes, anomalies.
#include <fmt/format.h>

#include <algorithm>

#include "awry/parse/anomalies.h"
#include "awry/parse/blocks.h"
#include "awry/parse/boxes.h"
#include "awry/parse/choices.h"
#include "awry/parse/severity.h"
#include "properties.h"

namespace awry::fuzz {

using namespace awry::parse;

void run_choices(std::string_view input) {
  static const ChoiceRules kOne = {.options = {{'A', {"splicing"}},
                                               {'B', {"copy-move", "copy move forgery"}},
                                               {'C', {"AI-generated", "AI"}},
                                               {'D', {"no forgery", "none"}},
                                               {'E', {"not sure"}}},
                                   .single = true};
  static const ChoiceRules kSeveral = {.options = {{'A', {"direct"}},
                                                   {'B', {"scaling"}},
                                                   {'C', {"rotated"}},
                                                   {'D', {"flipped"}},
                                                   {'F', {"no duplication"}},
                                                   {'G', {"not sure"}}},
                                       .exclusive = "FG"};
  for (const ChoiceRules* rules : {&kOne, &kSeveral}) {
    const auto choices = read_choices(input, *rules);
    require_said(choices);
    if (!choices) continue;
    const std::string& letters = choices->value.letters;
    require(!letters.empty() && std::ranges::is_sorted(letters), "letters are sorted");
    require(std::ranges::adjacent_find(letters) == letters.end(), "letters come once");
    require(!rules->single || letters.size() == 1, "one letter where one is asked for");
    for (char letter : letters) {
      require(std::ranges::find(rules->options, letter, &ChoiceOption::letter) != rules->options.end(),
              "letters were offered");
    }
    const auto again = read_choices(fmt::format("{}", fmt::join(letters, ", ")), *rules);
    require(again && again->value.letters == letters, "letters read back");
  }
}

void run_blocks(std::string_view input) {
  for (int count : {0, 16}) {
    const auto blocks = read_blocks(input, count);
    require_said(blocks);
    if (!blocks) continue;
    const std::vector<int>& found = blocks->value;
    require(std::ranges::is_sorted(found), "blocks are sorted");
    require(std::ranges::adjacent_find(found) == found.end(), "blocks come once");
    const int most = count > 0 ? count : 100'000;
    require(found.empty() || (found.front() >= 1 && found.back() <= most), "blocks are in range");
    const auto again = read_blocks(fmt::format("{}", fmt::join(found, ", ")), count);
    require(again && again->value == found, "blocks read back");
  }
}

void run_severity(std::string_view input) {
  const auto severity = read_severity(input);
  require_said(severity);
  if (severity) {
    require(severity->value >= 0 && severity->value <= 100, "a severity is on its scale");
    const auto again = read_severity(fmt::format("{}/100", severity->value));
    require(again && again->value == severity->value, "a severity reads back");
  }
  const auto rating = read_rating(input);
  require_said(rating);
  require(!rating || (rating->value >= 1 && rating->value <= 5), "a rating is on its scale");
}

void run_boxes(std::string_view input) {
  static const BoxRules kRules[] = {
      {.width = 640, .height = 480},
      {.width = 3,
       .height = 2000,
       .frames = {BoxFrame::kPercent, BoxFrame::kThousand, BoxFrame::kUnit, BoxFrame::kPixels},
       .layouts = {BoxLayout::kCornerAndSize, BoxLayout::kCorners}}};
  for (const BoxRules& rules : kRules) {
    const auto boxes = read_boxes(input, rules);
    require_said(boxes);
    if (!boxes) continue;
    require(!boxes->value.empty(), "there is a box");
    for (const FramedBox& framed : boxes->value) {
      const Box& box = framed.box;
      require(box.width > 0 && box.height > 0, "a box has a size");
      // x + (x2 - x) may round up by one unit in the last place.
      const double right = rules.width * (1 + 1e-12), bottom = rules.height * (1 + 1e-12);
      require(box.x >= 0 && box.y >= 0 && box.x + box.width <= right && box.y + box.height <= bottom,
              "a box lies in the image");
    }
  }
}

void run_anomalies(std::string_view input) {
  const auto anomalies = read_anomalies(input);
  require_said(anomalies);
  if (!anomalies) return;
  const std::vector<Finding>& found = anomalies->value;
  bool says_something = found.empty();
  for (const Finding& finding : found) {
    const std::string all = finding.name + finding.phenomenon + finding.reasoning;
    require(!all.empty() && is_valid_utf8(all), "an anomaly has valid text");
    require(all.find('\n') == std::string::npos, "fields are single lines");
    require(!finding.severity || (*finding.severity >= 0 && *finding.severity <= 100),
            "severities are on their scale");
    says_something |= !finding.phenomenon.empty() || !finding.reasoning.empty();
  }
  require(says_something, "there is a phenomenon or a reasoning");

  const std::string printed = print_anomalies(found);
  const auto again = read_anomalies(printed);
  require(again && again->value.size() == found.size(), "as many anomalies read back");
  for (std::size_t i = 0; i < found.size(); ++i) {
    require(again->value[i].severity == found[i].severity, "severities read back");
  }
  require(print_anomalies(again->value) == printed, "what is printed reads back");
}

}  // namespace awry::fuzz
