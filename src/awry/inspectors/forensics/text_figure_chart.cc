// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/text_figure_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "awry/base/text.h"

namespace awry::inspectors::forensics {
namespace {

constexpr int kDark = 100;       // axes are darker
constexpr int kSameColour = 13;  // in every channel

struct Axes {
  int x = 0, y = 0;  // where they meet
  int top = 0, right = 0;
};

struct Line {
  int at = 0, from = 0, to = 0;  // [from, to)
  int length() const { return to - from; }
};

// The longest dark run in each row (or column), given by `dark(along, at)`.
template <class Dark>
Line longest_line(int lines, int along, const Dark& dark) {
  Line best;
  for (int at = 0; at < lines; ++at) {
    for (int i = 0; i < along;) {
      if (!dark(i, at)) {
        ++i;
        continue;
      }
      int end = i;
      while (end < along && dark(end, at)) ++end;
      if (end - i > best.length()) best = {at, i, end};
      i = end;
    }
  }
  return best;
}

std::optional<Axes> find_axes(const imaging::Image& grey) {
  const auto dark = [&](int x, int y) { return *grey.at(x, y) < kDark; };
  const Line vertical = longest_line(grey.width / 2, grey.height, [&](int y, int x) { return dark(x, y); });
  const Line horizontal = longest_line(grey.height, grey.width, [&](int x, int y) { return dark(x, y); });
  const bool long_enough = vertical.length() > grey.height * 0.4 && horizontal.length() > grey.width * 0.4;
  const bool meet =
      std::abs(vertical.to - horizontal.at) <= 6 && std::abs(horizontal.from - vertical.at) <= 12;
  if (!long_enough || !meet) return std::nullopt;
  return Axes{vertical.at, horizontal.at, vertical.from, horizontal.to};
}

struct Calibration {
  double slope = 0, offset = 0;  // value = offset + slope * y
  double range = 0;
  double value(double y) const { return offset + slope * y; }
};

// "1500", also with a tick mark that was taken for a sign or a letter.
std::optional<double> number_in(std::string_view text) {
  while (!text.empty() && std::string_view("-_=.~'|").find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  return parse_double(replace_all(replace_all(text, ",", ""), "O", "0"));
}

std::optional<Calibration> calibrate(const Axes& axes, std::span<const reading::Word> words) {
  struct Mark {
    double y, value;
  };
  std::vector<Mark> marks;
  for (const reading::Word& word : words) {
    const double middle = word.box.y + word.box.height / 2;
    const bool beside = word.box.x < axes.x && word.box.x + word.box.width < axes.x + 16;
    if (!beside || middle < axes.top - 12 || middle > axes.y + 12 || word.box.height > 40) continue;
    if (const auto value = number_in(word.text)) marks.push_back({middle, *value});
  }
  // The line through two marks that most others agree with.
  Calibration best;
  std::size_t support = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    for (std::size_t j = i + 1; j < marks.size(); ++j) {
      if (std::abs(marks[i].y - marks[j].y) < 12 || marks[i].value == marks[j].value) continue;
      const double slope = (marks[i].value - marks[j].value) / (marks[i].y - marks[j].y);
      if (slope >= 0) continue;
      std::size_t agree = 0;
      double low = marks[i].value, high = marks[i].value;
      for (const Mark& mark : marks) {
        const double off = marks[i].value + slope * (mark.y - marks[i].y) - mark.value;
        if (std::abs(off / slope) > 3.5) continue;
        ++agree;
        low = std::min(low, mark.value);
        high = std::max(high, mark.value);
      }
      if (agree > support) {
        support = agree;
        best = {slope, marks[i].value - slope * marks[i].y, high - low};
      }
    }
  }
  return support >= 3 ? std::optional(best) : std::nullopt;
}

std::vector<int> ticks_below(const imaging::Image& grey, const Axes& axes) {
  std::vector<int> ticks;
  const int row = axes.y + 4;
  if (row >= grey.height) return ticks;
  for (int x = axes.x + 4; x < std::min(axes.right + 3, grey.width);) {
    int end = x;
    while (end < grey.width && *grey.at(end, row) < 150) ++end;
    if (end > x && end - x <= 4) ticks.push_back((x + end - 1) / 2);
    x = std::max(end, x + 1);
  }
  return ticks;
}

struct Key {
  std::string name;
  std::array<int, 3> colour{};
};

bool alike(const std::uint8_t* pixel, const std::array<int, 3>& colour) {
  for (int c = 0; c < 3; ++c) {
    if (std::abs(pixel[c] - colour[static_cast<std::size_t>(c)]) > kSameColour) return false;
  }
  return true;
}

// Words above or inside the plot with a patch of one colour right before them.
std::vector<Key> legend_of(const imaging::Image& rgb, const Axes& axes,
                           std::span<const reading::Word> words) {
  std::vector<Key> keys;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const reading::Word& word = words[i];
    const double letters = word.box.height;
    if (word.box.x < axes.x || word.box.y > axes.y - 10 || word.text.size() < 2 || letters < 5 ||
        letters > 60)
      continue;
    const int y = static_cast<int>(word.box.y + letters / 2);
    int patch = 0;
    std::array<int, 3> colour{};
    for (int x = static_cast<int>(word.box.x) - 2; x > word.box.x - 2.6 * letters && x > 3 && patch == 0;
         --x) {
      if (y < 4 || y + 4 >= rgb.height || x + 3 >= rgb.width) break;
      const std::uint8_t* pixel = rgb.at(x, y);
      const std::array<int, 3> here = {pixel[0], pixel[1], pixel[2]};
      if (std::min({here[0], here[1], here[2]}) > 232) continue;  // paper
      bool even = true;
      for (int dy = -3; dy <= 3; ++dy) {
        for (int dx = -3; dx <= 3; ++dx) even &= alike(rgb.at(x + dx, y + dy), here);
      }
      if (!even) continue;
      patch = x;
      colour = here;
    }
    if (patch == 0) continue;
    Key key{word.text, colour};
    // "Drug A": what follows closely on the same line belongs to the name.
    for (std::size_t j = i + 1; j < words.size(); ++j) {
      const reading::Word &last = words[j - 1], &next = words[j];
      const double gap = next.box.x - (last.box.x + last.box.width);
      if (std::abs(next.box.y - word.box.y) > letters || gap < 0 || gap > 0.9 * letters ||
          next.text.size() > 12)
        break;
      key.name += " " + next.text;
    }
    keys.push_back(std::move(key));
  }
  return keys;
}

// How high the colour reaches around x, for bars; where its middle lies, for lines. In pixels.
std::optional<double> height_at(const imaging::Image& rgb, const Axes& axes, const Key& key, double tick,
                                double slot) {
  const int left = std::max(axes.x + 2, static_cast<int>(tick - slot / 2));
  const int right = std::min(rgb.width - 1, static_cast<int>(tick + slot / 2));
  // Bars: the widest run of columns that are of the colour just above the axis.
  Line widest;
  for (int x = left; x <= right;) {
    int end = x;
    while (end <= right && alike(rgb.at(end, axes.y - 4), key.colour)) ++end;
    if (end - x > widest.length()) widest = {axes.y, x, end};
    x = std::max(end, x + 1);
  }
  if (widest.length() >= 5) {
    // A third of the way in, beside the error bar.
    const int column = widest.from + std::max(1, widest.length() / 4);
    int y = axes.y - 4, misses = 0;
    double top = y;
    for (; y > axes.top && misses < 3; --y) {
      if (alike(rgb.at(column, y), key.colour)) {
        top = y;
        misses = 0;
      } else {
        ++misses;
      }
    }
    return top - 1;
  }
  // Lines: the marker around the tick.
  double sum = 0;
  int count = 0;
  for (int x = static_cast<int>(tick) - 2; x <= static_cast<int>(tick) + 2; ++x) {
    for (int y = axes.top; y < axes.y - 2; ++y) {
      if (x <= axes.x || x >= rgb.width || !alike(rgb.at(x, y), key.colour)) continue;
      sum += y;
      ++count;
    }
  }
  if (count < 8) return std::nullopt;
  return sum / count;
}

}  // namespace

std::optional<ReadChart> read_chart(const imaging::Image& figure, std::span<const reading::Word> words) {
  if (figure.width < 120 || figure.height < 120) return std::nullopt;
  const imaging::Image rgb = imaging::to_rgb(figure), grey = imaging::to_grey(figure);
  const auto axes = find_axes(grey);
  if (!axes) return std::nullopt;
  const auto scale = calibrate(*axes, words);
  const std::vector<int> ticks = ticks_below(grey, *axes);
  if (!scale || ticks.size() < 2 || ticks.size() > 40) return std::nullopt;
  ReadChart chart{.categories = ticks.size(), .axis_range = scale->range};
  const double slot =
      static_cast<double>(ticks.back() - ticks.front()) / static_cast<double>(ticks.size() - 1);
  for (const Key& key : legend_of(rgb, *axes, words)) {
    ReadSeries series{.name = key.name};
    for (const int tick : ticks) {
      const auto y = height_at(rgb, *axes, key, tick, slot);
      series.values.push_back(y ? std::optional(scale->value(*y)) : std::nullopt);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace awry::inspectors::forensics
