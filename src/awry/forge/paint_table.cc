// SPDX-License-Identifier: Apache-2.0
// Tables of means and deviations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "awry/forge/painters.h"
#include "awry/forge/sheet.h"

namespace awry::forge {
namespace {

struct Measure {
  std::string_view name, unit;
  double typical;
  int decimals;
};
constexpr Measure kMeasures[] = {{"Body weight", "g", 24, 1},       {"Glucose", "mmol/l", 7.2, 2},
                                 {"Cholesterol", "mmol/l", 4.6, 2}, {"Heart rate", "1/min", 410, 0},
                                 {"Insulin", "ng/ml", 1.4, 2},      {"Haematocrit", "%", 42, 1},
                                 {"Water intake", "ml", 5.1, 1},    {"Liver weight", "g", 1.3, 2}};
constexpr std::string_view kGroups[] = {"Control", "Model", "Low", "High"};

double rounded(double value, int decimals) {
  const double step = std::pow(10, -decimals);
  return std::round(value / step) * step;
}

std::string lower(std::string_view name) {
  std::string text(name);
  text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

}  // namespace

Painted paint_table(int width, int height, RandomStream random, RandomStream style) {
  Sheet sheet(width, height);
  const std::size_t columns = static_cast<std::size_t>(style.integer(2, 4));
  const std::size_t rows =
      std::clamp<std::size_t>(static_cast<std::size_t>(height / 45), 3, std::size(kMeasures));
  const bool striped = style.chance(0.5);
  const double left = width * 0.03, room = width - 2 * left;
  // One size for the whole table: the longest entries decide, and rows lie no farther apart than in print.
  double letter = std::clamp(height / (2.6 * (static_cast<double>(rows) + 2)), 2.5, 15.0);
  const auto longest_label = [&] {
    return text_width("Cholesterol (mmol/l)", {.height_px = letter}) + letter;
  };
  const auto longest_entry = [&] { return text_width("540 ± 24.00", {.height_px = letter}) * 1.2; };
  letter *= std::min(1.0, room / (longest_label() + static_cast<double>(columns) * longest_entry()));
  const double pitch = std::min((height - letter * 2) / (static_cast<double>(rows) + 1.4), letter * 3.4);
  const double top = std::max(letter, (height - pitch * (static_cast<double>(rows) + 1.4)) * 0.4);
  const double first_column = left + longest_label();
  const double column_width = (width - left - first_column) / static_cast<double>(columns);
  const cv::Scalar ink(20, 20, 20);
  const auto base_line = [&](double row) { return top + pitch * (row + 0.5) + letter * 0.5; };
  const auto rule = [&](double y, double thickness) {
    sheet.line({left, y}, {width - left, y}, ink, thickness);
  };

  Painted& painted = sheet.painted();
  painted.facts = {{"measures", static_cast<double>(rows), ""}, {"groups", static_cast<double>(columns), ""}};
  for (std::size_t c = 0; c < columns; ++c) {
    sheet.write(kGroups[c], {first_column + column_width * (static_cast<double>(c) + 0.5), base_line(0)},
                {.height_px = letter, .colour = ink, .anchor = Anchor::kCentre, .bold = true},
                column_width * 0.95);
  }
  const auto order = random.sample(std::size(kMeasures), rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const Measure& measure = kMeasures[order[r]];
    const double row = static_cast<double>(r) + 1.2;
    if (striped && r % 2 == 0)
      sheet.box({left, top + pitch * row, width - 2 * left, pitch}, 0, {238, 242, 247}, ink, 0);
    sheet.write(fmt::format("{} ({})", measure.name, measure.unit), {left + letter * 0.4, base_line(row)},
                {.height_px = letter, .colour = ink}, first_column - left - letter);
    double first = 0, last = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      const double mean = rounded(measure.typical * random.uniform(0.75, 1.35), measure.decimals);
      const double deviation = std::max(std::pow(10, -measure.decimals),
                                        rounded(mean * random.uniform(0.04, 0.15), measure.decimals));
      (c == 0 ? first : last) = mean;
      sheet.write(fmt::format("{:.{}f} ± {:.{}f}", mean, measure.decimals, deviation, measure.decimals),
                  {first_column + column_width * (static_cast<double>(c) + 0.5), base_line(row)},
                  {.height_px = letter, .colour = ink, .anchor = Anchor::kCentre}, column_width * 0.95);
      painted.facts.push_back(
          {fmt::format("{}/{}", measure.name, kGroups[c]), mean, std::string(measure.unit)});
    }
    if (r >= 3 || first == last) continue;
    painted.sentences.push_back(fmt::format("Against the control group, {} was {} in the group {}.",
                                            lower(measure.name), last > first ? "higher" : "lower",
                                            lower(kGroups[columns - 1])));
    const double percent = std::round(std::abs(last - first) / first * 100);
    painted.facts.push_back({fmt::format("{}/difference", measure.name), percent, "%"});
    painted.sentences.push_back(
        fmt::format("The difference in {} was {:.0f} %.", lower(measure.name), percent));
  }
  rule(top, letter / 6);
  rule(top + pitch * 1.1, letter / 9);
  rule(top + pitch * (static_cast<double>(rows) + 1.25), letter / 6);
  painted.caption = fmt::format("Table of {} measures in {} groups (mean ± SD).", rows, columns);
  return sheet.take();
}

}  // namespace awry::forge
