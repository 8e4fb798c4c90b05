// SPDX-License-Identifier: Apache-2.0
#include "awry/report/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "awry/base/text.h"
#include "awry/report/markup.h"

namespace awry::report {
namespace {

constexpr double kWidth = 640;
constexpr double kLetterWidth = 7.2, kWideLetters = 14;
constexpr int kLabelColumns = 34;
constexpr std::size_t kBins = 20;

// Beyond this, differences overflow; nobody measures there.
bool drawable(double value) {
  return std::isfinite(value) && std::abs(value) < 1e100;
}

std::string open_svg(std::string_view title, double height) {
  return fmt::format(
      "<svg class=\"plot\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\" "
      "xmlns=\"http://www.w3.org/2000/svg\">\n",
      kWidth, height, safe(title));
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view style,
                    std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n", x, y,
                     anchor, style, safe(text));
}

std::string line(double x1, double y1, double x2, double y2, std::string_view style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1,
                     x2, y2, style);
}

struct Scale {
  Axis axis;
  double left = 0, right = 1;
  double operator()(double value) const {
    const double share = (std::clamp(value, axis.low, axis.high) - axis.low) / (axis.high - axis.low);
    return left + share * (right - left);
  }
};

std::string tick_lines(const Scale& scale, double top, double bottom) {
  std::string svg;
  for (std::size_t i = 0; i < scale.axis.ticks(); ++i) {
    double value = scale.axis.low + static_cast<double>(i) * scale.axis.step;
    if (std::abs(value) < scale.axis.step * 1e-6) value = 0;  // no "-0" or "1e-17" on the axis
    svg += line(scale(value), top, scale(value), bottom, "grid");
    svg += text_at(scale(value), bottom + 16, "middle", "tick", fmt::format("{:.6g}", value));
  }
  return svg;
}

Axis axis_of_bars(const BarChart& chart) {
  double low = 0, high = 0;
  for (const Bar& bar : chart.bars) {
    if (!drawable(bar.value)) continue;
    low = std::min(low, bar.value), high = std::max(high, bar.value);
    if (bar.interval && drawable(bar.interval->low)) low = std::min(low, bar.interval->low);
    if (bar.interval && drawable(bar.interval->high)) high = std::max(high, bar.interval->high);
  }
  if (chart.counts && high < 5) return {.low = 0, .high = std::max(1.0, std::ceil(high)), .step = 1};
  if (low >= 0 && high <= 1) return {};  // shares: always the whole range, so that charts compare
  return nice_axis(low, high);
}

std::string whisker(const Scale& scale, const Interval& interval, double middle) {
  const double low = scale(interval.low), high = scale(interval.high);
  return line(low, middle, high, middle, "whisker") + line(low, middle - 4, low, middle + 4, "whisker") +
         line(high, middle - 4, high, middle + 4, "whisker");
}

}  // namespace

std::size_t Axis::ticks() const {
  const double steps = std::round((high - low) / step);
  return static_cast<std::size_t>(std::clamp(steps, 1.0, 20.0)) + 1;
}

Axis nice_axis(double low, double high) {
  if (!(high - low > std::max(std::abs(low), std::abs(high)) * 1e-9)) {
    high = low + std::max(1.0, std::abs(low));
  }
  const double rough = (high - low) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double share = rough / power;
  const double step = power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
  // The tiny slack keeps 0.3 / 0.1 from counting as more than 3 steps.
  return {std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step, step};
}

std::string svg_bar_chart(const BarChart& chart) {
  constexpr double kRow = 24, kTop = 6, kValueGutter = 70;
  int columns = 4;
  for (const Bar& bar : chart.bars) columns = std::max(columns, display_width(repair_utf8(bar.label)));
  // A short word may be all wide letters.
  const double label_gutter = std::min(columns, kLabelColumns) * kLetterWidth + kWideLetters + 12;
  const Scale scale{axis_of_bars(chart), label_gutter, kWidth - kValueGutter};
  const double bottom = kTop + kRow * static_cast<double>(chart.bars.size());

  std::string svg = open_svg(chart.title, bottom + 26) + tick_lines(scale, kTop, bottom);
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const Bar& bar = chart.bars[i];
    const double middle = kTop + kRow * (static_cast<double>(i) + 0.5);
    const std::string label = repair_utf8(bar.label);
    const bool is_whole = chart.counts && drawable(bar.value);
    const std::string shown = is_whole ? fmt::format("{:.0f}", bar.value) : shown_number(bar.value);
    svg += fmt::format("<g><title>{}: {}</title>\n", safe(label), shown);
    svg += text_at(label_gutter - 10, middle + 4, "end", "label", shorten(label, kLabelColumns));
    if (drawable(bar.value)) {
      const double from = std::min(scale(0), scale(bar.value)), to = std::max(scale(0), scale(bar.value));
      svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"14\" class=\"bar\"/>\n",
                         from, middle - 7, to - from);
      if (bar.interval && drawable(bar.interval->low) && drawable(bar.interval->high)) {
        svg += whisker(scale, *bar.interval, middle);
      }
    }
    svg += text_at(kWidth - 2, middle + 4, "end", "value", shown) + "</g>\n";
  }
  return svg + "</svg>\n";
}

std::vector<Bin> bin_values(const std::vector<double>& values) {
  std::vector<double> kept;
  std::copy_if(values.begin(), values.end(), std::back_inserter(kept), drawable);
  if (kept.empty()) return {};
  const auto [low, high] = std::minmax_element(kept.begin(), kept.end());
  const Axis axis = *low >= 0 && *high <= 1 ? Axis{} : nice_axis(*low, *high);
  const double width = (axis.high - axis.low) / kBins;
  std::vector<Bin> bins(kBins);
  for (std::size_t i = 0; i < kBins; ++i) {
    bins[i] = {axis.low + width * static_cast<double>(i), axis.low + width * static_cast<double>(i + 1), 0};
  }
  for (const double value : kept) {
    // Found by comparing with the edges that are printed, so that no value lies outside its own bin.
    const auto after = std::upper_bound(bins.begin(), bins.end(), value,
                                        [](double wanted, const Bin& bin) { return wanted < bin.low; });
    ++(after == bins.begin() ? after : after - 1)->count;
  }
  return bins;
}

std::string svg_histogram(const Histogram& histogram) {
  constexpr double kTop = 18, kBottom = 150, kLeft = 52;
  std::size_t tallest = 1;
  for (const Bin& bin : histogram.bins) tallest = std::max(tallest, bin.count);
  std::string svg = open_svg(histogram.title, kBottom + 40);
  if (histogram.bins.empty()) {
    return svg + text_at(kWidth / 2, 80, "middle", "tick", "no finite values") + "</svg>\n";
  }
  const double low = histogram.bins.front().low, high = histogram.bins.back().high;
  const Scale across{low == 0 && high == 1 ? Axis{} : nice_axis(low, high), kLeft, kWidth - 16};
  svg += tick_lines(across, kTop, kBottom);
  svg += text_at(kLeft - 8, kTop + 5, "end", "tick", fmt::format("{}", tallest));
  svg += text_at(kLeft - 8, kBottom + 2, "end", "tick", "0");
  svg += text_at((kLeft + kWidth) / 2, kBottom + 34, "middle", "tick", histogram.axis);
  for (const Bin& bin : histogram.bins) {
    if (bin.count == 0) continue;
    const double height = (kBottom - kTop) * static_cast<double>(bin.count) / static_cast<double>(tallest);
    const double x = across(bin.low) + 1, width = std::max(1.0, across(bin.high) - across(bin.low) - 2);
    svg += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"bar\">"
        "<title>{:.6g} to {:.6g}: {}</title></rect>\n",
        x, kBottom - height, width, height, bin.low, bin.high, bin.count);
  }
  return svg + line(kLeft, kBottom, kWidth - 16, kBottom, "base") + "</svg>\n";
}

}  // namespace awry::report
