// SPDX-License-Identifier: Apache-2.0
// Tables of means and deviations, and the screens of measuring programs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

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
  double letter =
      std::clamp(std::min(width / 34.0, height / (2.6 * (static_cast<double>(rows) + 2))), 2.5, 15.0);
  const double left = width * 0.03, first_column = width * 0.34;
  const double pitch = (height - letter * 2) / (static_cast<double>(rows) + 1.4);
  const double column_width = (width * 0.97 - first_column) / static_cast<double>(columns);
  // One size for the whole table: the longest entries decide.
  const auto fit = [&](std::string_view longest, double room) {
    letter *= std::min(1.0, room / text_width(longest, {.height_px = letter}));
  };
  fit("540.00 +/- 24.00", column_width * 0.95);
  fit("Cholesterol (mmol/l)", first_column - left - letter);
  const cv::Scalar ink(20, 20, 20);
  const auto base_line = [&](double row) { return letter + pitch * (row + 0.5) + letter * 0.5; };
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
      sheet.box({left, letter + pitch * row, width - 2 * left, pitch}, 0, {238, 242, 247}, ink, 0);
    sheet.write(fmt::format("{} ({})", measure.name, measure.unit), {left + letter * 0.4, base_line(row)},
                {.height_px = letter, .colour = ink}, first_column - left - letter);
    double first = 0, last = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      const double mean = rounded(measure.typical * random.uniform(0.75, 1.35), measure.decimals);
      const double deviation = std::max(std::pow(10, -measure.decimals),
                                        rounded(mean * random.uniform(0.04, 0.15), measure.decimals));
      (c == 0 ? first : last) = mean;
      sheet.write(fmt::format("{:.{}f} +/- {:.{}f}", mean, measure.decimals, deviation, measure.decimals),
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
  rule(letter, letter / 6);
  rule(letter + pitch * 1.1, letter / 9);
  rule(letter + pitch * (static_cast<double>(rows) + 1.25), letter / 6);
  painted.caption = fmt::format("Table of {} measures in {} groups (mean +/- SD).", rows, columns);
  return sheet.take();
}

namespace {

constexpr std::string_view kPrograms[] = {"PatchScope", "FlowView", "ThermoLog", "SpectraPad"};
constexpr std::string_view kMenus[] = {"File", "Edit", "Acquire", "Analyse", "Help"};

struct Screen {
  cv::Scalar title, ground, trace;
};
const Screen kScreens[] = {{{52, 96, 158}, {240, 240, 240}, {24, 110, 60}},
                           {{60, 60, 64}, {226, 228, 232}, {190, 40, 40}},
                           {{22, 120, 130}, {246, 246, 240}, {40, 60, 170}}};

// A resting line with bumps at known times.
void draw_trace(Sheet& sheet, const cv::Rect2d& plot, const Screen& screen, const std::vector<double>& events,
                double unit, RandomStream random) {
  sheet.box(plot, 0, {252, 252, 252}, {120, 120, 120}, unit);
  for (int i = 1; i < 8; ++i) {
    const double x = plot.x + plot.width * i / 8, y = plot.y + plot.height * i / 8;
    sheet.line({x, plot.y}, {x, plot.y + plot.height}, {226, 226, 226}, unit * 0.6);
    sheet.line({plot.x, y}, {plot.x + plot.width, y}, {226, 226, 226}, unit * 0.6);
  }
  cv::Point2d before;
  const int steps = std::max(40, static_cast<int>(plot.width));
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    double value = 0.18 + random.normal(0, 0.012) + 0.02 * std::sin(t * 9);
    for (const double event : events) {
      const double since = (t - event) * 30;
      if (since > 0) value += 0.62 * since * std::exp(1 - since * 1.4);
    }
    const cv::Point2d now(plot.x + plot.width * t,
                          plot.y + plot.height * (1 - std::clamp(value, 0.02, 0.98)));
    if (i > 0) sheet.line(before, now, screen.trace, unit * 1.2);
    before = now;
  }
}

}  // namespace

Painted paint_screenshot(int width, int height, RandomStream random, RandomStream style) {
  const Screen& screen = style.pick(std::span(kScreens));
  Sheet sheet(width, height, screen.ground);
  const double unit = std::min(width, height) / 384.0, letter = std::max(2.5, 9.5 * unit), bar = letter * 2.1;
  const cv::Scalar ink(25, 25, 25);
  sheet.box({0, 0, width + 0.0, bar}, 0, screen.title, ink, 0);
  sheet.write(fmt::format("{} - session {}", style.pick(std::span(kPrograms)), random.integer(2, 90)),
              {letter * 0.8, bar * 0.72}, {.height_px = letter, .colour = {255, 255, 255}, .bold = true},
              width * 0.75);
  for (int i = 0; i < 3; ++i)
    sheet.box({width - bar * (i + 1) * 0.85, bar * 0.25, bar * 0.5, bar * 0.5}, bar * 0.08, {235, 235, 235},
              ink, 0);
  double x = letter * 0.8;
  for (const std::string_view menu : kMenus) {
    const TextStyle text{.height_px = letter * 0.9, .colour = ink};
    if (x + text_width(menu, text) > width) break;
    sheet.write(menu, {x, bar * 1.75}, text);
    x += text_width(menu, text) + letter * 1.6;
  }

  const int temperature = random.integer(20, 37), rate_khz = random.integer(2, 40),
            seconds = random.integer(5, 60);
  const int count = random.integer(3, 8);
  std::vector<double> events;
  for (int i = 0; i < count; ++i) events.push_back(0.04 + 0.9 * (i + random.uniform(0.1, 0.6)) / count);
  const cv::Rect2d plot(width * 0.36, bar * 2.3, width * 0.62, height * 0.93 - bar * 2.3);
  draw_trace(sheet, plot, screen, events, unit, random.fork("trace"));
  const std::string settings[] = {fmt::format("Temp.  {} C", temperature),
                                  fmt::format("Rate  {} kHz", rate_khz),
                                  fmt::format("Length  {} s", seconds)};
  double y = bar * 2.3;
  for (const std::string& setting : settings) {
    sheet.box({width * 0.02, y, width * 0.31, bar}, letter * 0.2, {255, 255, 255}, {150, 150, 150}, unit);
    sheet.write(setting, {width * 0.02 + letter * 0.5, y + bar * 0.7},
                {.height_px = letter * 0.9, .colour = ink}, width * 0.28);
    y += bar * 1.25;
  }
  for (const char* button : {"Start", "Stop", "Export"}) {
    if (y + bar > height) break;
    sheet.box({width * 0.02, y, width * 0.20, bar}, letter * 0.3, {214, 218, 224}, {120, 120, 120}, unit);
    sheet.write(button, {width * 0.12, y + bar * 0.7},
                {.height_px = letter * 0.9, .colour = ink, .anchor = Anchor::kCentre}, width * 0.18);
    y += bar * 1.2;
  }
  Painted& painted = sheet.painted();
  painted.caption =
      fmt::format("The measuring program during a recording of {} s at {} C.", seconds, temperature);
  painted.sentences = {fmt::format("The trace shows {} events.", count),
                       fmt::format("Signals were sampled at {} kHz.", rate_khz)};
  painted.facts = {{"temperature", static_cast<double>(temperature), "C"},
                   {"rate", static_cast<double>(rate_khz), "kHz"},
                   {"length", static_cast<double>(seconds), "s"},
                   {"events", static_cast<double>(count), ""}};
  return sheet.take();
}

}  // namespace awry::forge
