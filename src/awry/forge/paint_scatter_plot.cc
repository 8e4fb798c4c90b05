// SPDX-License-Identifier: Apache-2.0
// Scatter plots: one quantity against another, each point known. The correlation that caption and sentences
// tell is that of the points as drawn.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "awry/forge/painters.h"
#include "awry/forge/sheet.h"

namespace awry::forge {
namespace {

struct Quantity {
  std::string_view name, unit;
  double low, high;
  int decimals;
};
struct Subject {
  Quantity x, y;
  std::string_view of;  // what a point stands for
};
constexpr Subject kSubjects[] = {
    {{"Age", "years", 28, 82, 0}, {"Systolic pressure", "mmHg", 104, 182, 0}, "patients"},
    {{"Tumor weight", "g", 0.2, 2.1, 2}, {"Stained nuclei", "%", 8, 74, 1}, "tumors"},
    {{"Body weight", "g", 18, 34, 1}, {"Liver weight", "g", 0.8, 2.2, 2}, "mice"},
    {{"Dose", "mg/kg", 2, 48, 1}, {"Serum level", "ng/ml", 40, 610, 0}, "animals"},
    {{"Cell area", "um2", 220, 1900, 0}, {"Signal", "a.u.", 0.3, 4.6, 2}, "cells"}};
constexpr std::string_view kGroups[] = {"Control", "Treated", "Female", "Male", "Early", "Late"};
struct Look {
  cv::Scalar first, second, line;
};
const Look kLooks[] = {{{52, 101, 164}, {214, 96, 77}, {60, 60, 60}},
                       {{40, 40, 40}, {150, 150, 150}, {190, 40, 40}},
                       {{27, 120, 85}, {217, 140, 30}, {40, 60, 120}}};

struct Point {
  double x, y;
  std::size_t group;
};
struct Axis {
  double low, high, step;
  int decimals;
  double share_of(double value) const { return (value - low) / (high - low); }
};
struct Line {
  double slope, offset, correlation;
};

double rounded(double value, int decimals) {
  const double step = std::pow(10, -decimals);
  return std::round(value / step) * step;
}

std::string shown(double value, int decimals) {
  return fmt::format("{:.{}f}", value, decimals);
}

// The scatter is about a line, up or down; now and then there is no line at all.
std::vector<Point> invent_points(const Subject& subject, std::size_t groups, RandomStream random) {
  const int count = random.integer(22, 64);
  const double way = random.chance(0.12) ? 0 : random.chance(0.6) ? 1 : -1;
  const double spread = random.uniform(0.06, 0.17), apart = random.uniform(0.05, 0.2);
  std::vector<Point> points;
  for (int i = 0; i < count; ++i) {
    const std::size_t group = static_cast<std::size_t>(i) % groups;
    const double aside = groups == 1 ? 0 : (group == 0 ? -apart : apart) / 2;
    const double u = std::clamp(random.normal(0.5 + aside, 0.22), 0.0, 1.0);
    const double v =
        std::clamp(0.5 + way * 0.8 * (u - 0.5) + random.normal(0, spread + (way == 0 ? 0.12 : 0)), 0.0, 1.0);
    const auto value = [](const Quantity& q, double share) {
      return rounded(q.low + share * (q.high - q.low), q.decimals);
    };
    points.push_back({value(subject.x, u), value(subject.y, v), group});
  }
  return points;
}

Line fit(const std::vector<Point>& points) {
  double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  const double n = static_cast<double>(points.size());
  for (const Point& p : points) sx += p.x, sy += p.y, sxx += p.x * p.x, syy += p.y * p.y, sxy += p.x * p.y;
  const double vx = sxx - sx * sx / n, vy = syy - sy * sy / n, cov = sxy - sx * sy / n;
  const double slope = cov / vx;
  return {slope, (sy - slope * sx) / n, cov / std::sqrt(vx * vy)};
}

Axis axis_for(const Quantity& quantity) {
  const double range = quantity.high - quantity.low, raw = range / 4;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (raw <= factor * power) step = factor * power;
  }
  const double low = std::floor((quantity.low - 0.04 * range) / step) * step;
  return {.low = std::max(0.0, low),
          .high = std::ceil((quantity.high + 0.04 * range) / step) * step,
          .step = step,
          .decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)))};
}

class PlotArtist {
 public:
  PlotArtist(const Subject& subject, int width, int height)
      : sheet_(width, height),
        x_(axis_for(subject.x)),
        y_(axis_for(subject.y)),
        letter_(std::clamp(std::min(width, height) / 34.0, 4.0, 18.0)),
        plot_(letter_ * 6, letter_ * 3.4, width - letter_ * 8.2, height - letter_ * 7.6) {}

  void draw_axes(const Subject& subject, bool framed) {
    const double thin = letter_ / 11;
    if (framed) sheet_.box(plot_, 0, {255, 255, 255}, kInk, thin);
    sheet_.line({plot_.x, plot_.y}, {plot_.x, bottom()}, kInk, thin);
    sheet_.line({plot_.x, bottom()}, {plot_.x + plot_.width, bottom()}, kInk, thin);
    const TextStyle small{.height_px = letter_ * 0.85, .colour = kInk, .anchor = Anchor::kCentre};
    TextStyle right = small;
    right.anchor = Anchor::kRight;
    for (double value = x_.low; value <= x_.high + x_.step / 2; value += x_.step) {
      const double x = at(value, y_.low).x;
      sheet_.line({x, bottom()}, {x, bottom() + letter_ * 0.45}, kInk, thin);
      sheet_.write(shown(value, x_.decimals), {x, bottom() + letter_ * 1.8}, small);
    }
    for (double value = y_.low; value <= y_.high + y_.step / 2; value += y_.step) {
      const double y = at(x_.low, value).y;
      sheet_.line({plot_.x - letter_ * 0.45, y}, {plot_.x, y}, kInk, thin);
      sheet_.write(shown(value, y_.decimals), {plot_.x - letter_ * 0.75, y + letter_ * 0.42}, right);
    }
    const TextStyle title{.height_px = letter_, .colour = kInk, .anchor = Anchor::kCentre};
    TextStyle upwards = title;
    upwards.upwards = true;
    sheet_.write(title_of(subject.x), {plot_.x + plot_.width / 2, bottom() + letter_ * 3.6}, title);
    sheet_.write(title_of(subject.y), {letter_ * 1.7, plot_.y + plot_.height / 2}, upwards);
  }

  void draw_points(const std::vector<Point>& points, const Look& look, bool open) {
    const double radius = letter_ * 0.42;
    for (const Point& point : points) {
      const cv::Scalar& colour = point.group == 0 ? look.first : look.second;
      dot(at(point.x, point.y), radius, colour);
      if (open) dot(at(point.x, point.y), radius * 0.62, {255, 255, 255});
    }
  }

  void draw_line(const std::vector<Point>& points, const Line& line, const cv::Scalar& colour) {
    const auto [first, last] = std::ranges::minmax_element(points, {}, &Point::x);
    sheet_.line(at(first->x, line.offset + line.slope * first->x),
                at(last->x, line.offset + line.slope * last->x), colour, letter_ / 6);
  }

  void draw_legend(std::span<const std::string_view> groups, const Look& look, bool open) {
    double x = plot_.x + letter_;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const cv::Point2d mark(x, letter_ * 1.5);
      dot(mark, letter_ * 0.42, g == 0 ? look.first : look.second);
      if (open) dot(mark, letter_ * 0.26, {255, 255, 255});
      const TextStyle style{.height_px = letter_ * 0.85, .colour = kInk};
      sheet_.write(groups[g], {x + letter_, letter_ * 1.95}, style);
      x += letter_ * 3 + text_width(groups[g], style);
    }
  }

  Painted take() { return sheet_.take(); }

 private:
  static inline const cv::Scalar kInk{20, 20, 20};
  double bottom() const { return plot_.y + plot_.height; }
  cv::Point2d at(double x, double y) const {
    return {plot_.x + plot_.width * x_.share_of(x), plot_.y + plot_.height * (1 - y_.share_of(y))};
  }
  static std::string title_of(const Quantity& quantity) {
    return fmt::format("{} ({})", quantity.name, quantity.unit);
  }
  void dot(cv::Point2d centre, double radius, const cv::Scalar& colour) {
    Outline outline;
    for (int i = 0; i < 20; ++i) {
      const double turn = 2 * std::numbers::pi * i / 20;
      outline.push_back(centre + radius * cv::Point2d(std::cos(turn), std::sin(turn)));
    }
    sheet_.polygon(outline, colour);
  }

  Sheet sheet_;
  Axis x_, y_;
  double letter_;
  cv::Rect2d plot_;
};

std::string within_sentence(std::string_view name) {
  std::string text(name);
  if (text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

void describe(Painted& painted, const Subject& subject, const std::vector<Point>& points, const Line& line) {
  const double r = rounded(line.correlation, 2);
  const auto [least, most] = std::ranges::minmax_element(points, {}, &Point::x);
  const double highest = std::ranges::max_element(points, {}, &Point::y)->y;
  painted.facts = {{"points", static_cast<double>(points.size()), ""},
                   {"correlation", r, ""},
                   {"strength", std::abs(r), ""}};
  for (std::size_t i = 0; i < points.size(); ++i) {
    painted.facts.push_back({fmt::format("point {}/x", i + 1), points[i].x, std::string(subject.x.unit)});
    painted.facts.push_back({fmt::format("point {}/y", i + 1), points[i].y, std::string(subject.y.unit)});
  }
  const std::string x = within_sentence(subject.x.name), y = within_sentence(subject.y.name);
  painted.caption =
      fmt::format("Scatter plot of {} against {} in {} {} (r = {:.2f}).", y, x, points.size(), subject.of, r);
  painted.sentences.push_back(
      std::abs(r) < 0.3
          ? fmt::format("There was hardly a relation between {} and {} (r = {:.2f}).", x, y, r)
          : fmt::format("{} {} with {} (r = {:.2f}).", subject.y.name, r > 0 ? "rose" : "fell", x, r));
  painted.sentences.push_back(fmt::format("Among {} {}, {} ranged from {} to {} {}.", points.size(),
                                          subject.of, x, shown(least->x, subject.x.decimals),
                                          shown(most->x, subject.x.decimals), subject.x.unit));
  painted.sentences.push_back(
      fmt::format("The highest {} was {} {}.", y, shown(highest, subject.y.decimals), subject.y.unit));
}

}  // namespace

Painted paint_scatter_plot(int width, int height, RandomStream random, RandomStream style) {
  const Subject& subject = random.pick(std::span(kSubjects));
  const std::size_t groups = style.chance(0.4) ? 2 : 1;
  const std::size_t pair = style.below(std::size(kGroups) / 2) * 2;
  const Look& look = style.pick(std::span(kLooks));
  const bool open = style.chance(0.3), framed = style.chance(0.4), with_line = style.chance(0.6);
  const std::vector<Point> points = invent_points(subject, groups, random.fork("points"));
  const Line line = fit(points);
  PlotArtist artist(subject, width, height);
  artist.draw_axes(subject, framed);
  artist.draw_points(points, look, open);
  if (with_line) artist.draw_line(points, line, look.line);
  if (groups == 2) artist.draw_legend(std::span(kGroups).subspan(pair, 2), look, open);
  Painted painted = artist.take();
  describe(painted, subject, points, line);
  return painted;
}

}  // namespace awry::forge
