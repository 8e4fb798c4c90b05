// SPDX-License-Identifier: Apache-2.0
#include "awry/report/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "awry/report/markup.h"
#include "awry/report/plots.h"

namespace awry::report {
namespace {

constexpr double kWidth = 640, kLeft = 52, kRight = 16, kTop = 30, kBottom = 250, kLegendRow = 20;
constexpr std::size_t kLegendColumns = 3;
// Told apart also by people who do not see red and green alike (after Okabe and Ito).
constexpr std::array<std::string_view, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                      "#b58900", "#56b4e9", "#7f7f7f"};
// Gaps let an equal curve beneath show through.
constexpr std::array<std::string_view, 3> kDashes = {"", "9 7", "3 6"};
constexpr double kMark = 4, kBeside = 7;  // half the size of a mark; from one curve's to the next one's

bool is_number(const std::optional<double>& value) {
  return value && std::isfinite(*value) && std::abs(*value) < 1e100;
}

Axis axis_of(const LineChart& chart) {
  double low = 0, high = 0;
  for (const Curve& curve : chart.curves) {
    for (const auto& value : curve.values) {
      if (is_number(value)) low = std::min(low, *value), high = std::max(high, *value);
    }
  }
  if (low >= 0 && high <= 1) return {};  // shares: always the whole range, so that charts compare
  return nice_axis(low, high);
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     safe(text));
}

// Where things are drawn.
struct Frame {
  Axis axis;
  std::size_t levels = 1, curves = 1;
  double x(std::size_t level) const {
    const double width = kWidth - kLeft - kRight;
    return kLeft + width * (static_cast<double>(level) + 0.5) / static_cast<double>(levels);
  }
  // Curves stand a little beside one another, so that equal values hide nothing.
  double x(std::size_t level, std::size_t curve) const {
    const double room = 0.6 * (x(1) - x(0));
    const double apart = std::min(kBeside, room / static_cast<double>(curves));
    return x(level) + apart * (static_cast<double>(curve) - 0.5 * static_cast<double>(curves - 1));
  }
  double y(double value) const {
    return kBottom - (kBottom - kTop) * (value - axis.low) / (axis.high - axis.low);
  }
};

std::string grid(const LineChart& chart, const Frame& frame) {
  std::string svg;
  for (std::size_t i = 0; i < frame.axis.ticks(); ++i) {
    double value = frame.axis.low + static_cast<double>(i) * frame.axis.step;
    if (std::abs(value) < frame.axis.step * 1e-6) value = 0;
    svg += fmt::format(
        "<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"currentColor\" "
        "stroke-opacity=\"0.15\"/>\n",
        kLeft, frame.y(value), kWidth - kRight, frame.y(value));
    svg += text_at(kLeft - 8, frame.y(value) + 4, "end", fmt::format("{:.6g}", value));
  }
  for (std::size_t i = 0; i < chart.levels.size(); ++i) {
    svg += text_at(frame.x(i), kBottom + 18, "middle", chart.levels[i]);
  }
  return svg;
}

std::string stroke_of(std::size_t index) {
  const std::string_view dash = kDashes[index % kDashes.size()];
  return fmt::format("stroke=\"{}\" stroke-width=\"2\" fill=\"none\"{}", kColours[index % kColours.size()],
                     dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

// Disc, square, diamond, triangle, in turn: told apart without colour too.
std::string mark_svg(std::size_t index, double x, double y, const std::string& title) {
  const std::string inside = fmt::format("fill=\"{}\">{}", kColours[index % kColours.size()], title);
  switch (index % 4) {
    case 0:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" {}</circle>\n", x, y, kMark, inside);
    case 1:
      return fmt::format("<path d=\"M{:.1f} {:.1f}h{}v{}h-{}z\" {}</path>\n", x - kMark, y - kMark, 2 * kMark,
                         2 * kMark, 2 * kMark, inside);
    case 2:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l{} {}l-{} {}l-{} -{}z\" {}</path>\n", x, y - 1.3 * kMark,
                         1.3 * kMark, 1.3 * kMark, 1.3 * kMark, 1.3 * kMark, 1.3 * kMark, 1.3 * kMark,
                         inside);
    default:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l{} {}h-{}z\" {}</path>\n", x, y - 1.2 * kMark, 1.2 * kMark,
                         2.2 * kMark, 2.4 * kMark, inside);
  }
}

std::string curve_svg(const LineChart& chart, std::size_t index, const Frame& frame) {
  const Curve& curve = chart.curves[index];
  std::string path, dots;
  bool drawing = false;
  for (std::size_t i = 0; i < std::min(curve.values.size(), chart.levels.size()); ++i) {
    if (!is_number(curve.values[i])) {
      drawing = false;
      continue;
    }
    const double x = frame.x(i, index), y = frame.y(*curve.values[i]);
    path += fmt::format("{}{:.1f} {:.1f}", drawing ? " L" : " M", x, y);
    dots += mark_svg(index, x, y,
                     fmt::format("<title>{}, {}: {}</title>", safe(curve.label), safe(chart.levels[i]),
                                 shown_number(*curve.values[i])));
    drawing = true;
  }
  if (path.empty()) return "";
  return fmt::format("<path d=\"{}\" {}/>\n", path.substr(1), stroke_of(index)) + dots;
}

std::string legend(const LineChart& chart) {
  std::string svg;
  const double column = (kWidth - kLeft) / kLegendColumns;
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const double x = kLeft + column * static_cast<double>(i % kLegendColumns);
    const double y = kBottom + 44 + kLegendRow * static_cast<double>(i / kLegendColumns);
    svg += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x, y - 4,
                       x + 22, y - 4, stroke_of(i));
    svg += mark_svg(i, x + 11, y - 4, "");
    svg += text_at(x + 28, y, "start", chart.curves[i].label);
  }
  return svg;
}

}  // namespace

std::string svg_line_chart(const LineChart& chart) {
  const Frame frame{axis_of(chart), std::max<std::size_t>(1, chart.levels.size()),
                    std::max<std::size_t>(1, chart.curves.size())};
  const double rows = std::ceil(static_cast<double>(chart.curves.size()) / kLegendColumns);
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\" font-size=\"12\" "
      "font-family=\"system-ui, sans-serif\" fill=\"currentColor\" xmlns=\"http://www.w3.org/2000/svg\">\n",
      kWidth, kBottom + 38 + kLegendRow * rows, safe(chart.title));
  svg += text_at(kLeft, 16, "start", chart.title) + grid(chart, frame);
  for (std::size_t i = 0; i < chart.curves.size(); ++i) svg += curve_svg(chart, i, frame);
  return svg + legend(chart) + "</svg>\n";
}

}  // namespace awry::report
