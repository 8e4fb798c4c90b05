// SPDX-License-Identifier: Apache-2.0
// The screens of measuring programs: a trace with known events among settings, recordings and a status line.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "awry/forge/painters.h"
#include "awry/forge/sheet.h"

namespace awry::forge {
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

void label_axes(Sheet& sheet, const cv::Rect2d& plot, int seconds, double letter) {
  constexpr int kTicks = 4;
  const TextStyle text{.height_px = letter, .colour = {70, 70, 70}, .anchor = Anchor::kCentre};
  for (int i = 0; i <= kTicks; ++i) {
    const double share = static_cast<double>(i) / kTicks;
    // The outermost labels stay inside the picture.
    const double x = plot.x + plot.width * std::clamp(share, 0.02, 0.96);
    sheet.write(fmt::format("{:g}", seconds * share), {x, plot.y + plot.height + letter * 1.6}, text);
  }
  sheet.write("Time (s)", {plot.x + plot.width / 2, plot.y + plot.height + letter * 3.2}, text);
}

// Earlier recordings, the current one marked, with a scroll bar.
void list_recordings(Sheet& sheet, const cv::Rect2d& area, const Screen& screen, double letter, double unit,
                     RandomStream random) {
  const double row = letter * 1.9;
  const int rows = static_cast<int>(area.height / row), current = rows > 0 ? random.integer(0, rows - 1) : 0;
  if (rows < 2) return;
  sheet.box(area, 0, {255, 255, 255}, {150, 150, 150}, unit);
  for (int i = 0; i < rows; ++i) {
    const double y = area.y + row * i;
    if (i == current) sheet.box({area.x, y, area.width, row}, 0, screen.title, screen.title, 0);
    const cv::Scalar ink = i == current ? cv::Scalar(255, 255, 255) : cv::Scalar(40, 40, 40);
    sheet.write(fmt::format("rec_{:03}.dat", i + 1), {area.x + letter * 0.6, y + row * 0.68},
                {.height_px = letter, .colour = ink}, area.width * 0.8);
  }
  const double rail = letter * 0.9;
  sheet.box({area.x + area.width - rail, area.y, rail, area.height}, 0, {228, 228, 228}, {200, 200, 200},
            unit);
  sheet.box({area.x + area.width - rail * 0.85, area.y + area.height * 0.08, rail * 0.7, area.height * 0.4},
            rail * 0.3, {170, 170, 170}, {150, 150, 150}, 0);
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
  const double small = letter * 0.8, status = bar * 0.85;
  const cv::Rect2d plot(width * 0.36, bar * 2.3, width * 0.62, height - status - small * 4.2 - bar * 2.3);
  draw_trace(sheet, plot, screen, events, unit, random.fork("trace"));
  label_axes(sheet, plot, seconds, small);
  sheet.box({0, height - status, width + 0.0, status}, 0, {206, 208, 212}, {150, 150, 150}, unit);
  sheet.write("Recording", {letter * 0.8, height - status * 0.3}, {.height_px = small, .colour = ink});
  sheet.write("Channel 1   Gain 1x   Filter on", {width * 0.36, height - status * 0.3},
              {.height_px = small, .colour = ink}, width * 0.6);
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
  list_recordings(sheet, {width * 0.02, y + bar * 0.2, width * 0.31, height - status - y - bar * 0.6}, screen,
                  small, unit, random.fork("recordings"));
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
