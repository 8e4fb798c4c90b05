// SPDX-License-Identifier: Apache-2.0
// Grouped bars or lines with error bars. The numbers come first; the picture, the caption and the sentences
// are all drawn from them, so what the words say is true of the picture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/forge/brushes.h"
#include "awry/forge/painters.h"

namespace awry::forge {
namespace {

struct Series {
  std::string name;
  cv::Scalar colour;
  std::vector<double> values, errors;  // rounded to what the text says
};

struct ChartData {
  std::string quantity, unit;
  std::vector<std::string> categories;
  std::vector<Series> series;
  double axis_top = 1, axis_step = 0.2;
};

struct Subject {
  std::string_view quantity, unit;
  double typical;
  double limit = 6 * typical;  // no mean lies above it: shares end at 100 %
};
constexpr Subject kSubjects[] = {{"Relative expression", "", 1},   {"Cell viability", "%", 60, 98},
                                 {"Tumor volume", "mm3", 420},     {"Apoptotic cells", "%", 18, 90},
                                 {"IL-6", "pg/ml", 140},           {"Migrated cells", "per field", 75},
                                 {"Absorbance at 450 nm", "", 0.8}};
const std::vector<std::string> kCategorySets[] = {{"0 h", "12 h", "24 h", "48 h"},
                                                  {"Day 1", "Day 3", "Day 5", "Day 7"},
                                                  {"0", "5", "10", "20", "40"},
                                                  {"Sham", "I/R", "Low", "High"},
                                                  {"W0", "W2", "W4", "W6", "W8"}};
constexpr std::string_view kGroupNames[] = {"Control", "Model", "siRNA", "Drug A", "Drug B", "Vector"};
const std::vector<cv::Scalar> kColourSets[] = {{{60, 60, 60}, {200, 60, 50}, {60, 105, 180}},
                                               {{70, 130, 180}, {240, 140, 50}, {90, 170, 90}},
                                               {{250, 250, 250}, {165, 165, 165}, {45, 45, 45}},
                                               {{100, 190, 170}, {240, 130, 110}, {130, 150, 210}}};

// "Cell viability" within a sentence; "IL-6" stays as it is.
std::string within_sentence(std::string text) {
  const bool acronym = text.size() > 1 && text[1] >= 'A' && text[1] <= 'Z';
  if (!acronym && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

double rounded_like(double value, double typical) {
  const double step = typical >= 100 ? 1 : typical >= 10 ? 0.1 : 0.01;
  return std::round(value / step) * step;
}

std::string shown(double value, double typical) {
  return fmt::format("{:.{}f}", value, typical >= 100 ? 0 : typical >= 10 ? 1 : 2);
}

// 1, 2 or 5 times a power of ten, for about five ticks.
double pleasant_step(double range) {
  const double raw = range / 5, power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power) return factor * power;
  }
  return 10 * power;
}

ChartData invent_data(const Subject& subject, RandomStream random, RandomStream style) {
  ChartData data{.quantity = std::string(subject.quantity), .unit = std::string(subject.unit)};
  data.categories = random.pick(std::span(kCategorySets));
  const auto& colours = style.pick(std::span(kColourSets));
  const std::size_t count = static_cast<std::size_t>(random.integer(2, 3));
  const auto names = random.sample(std::size(kGroupNames), count);
  double top = 0;
  for (std::size_t s = 0; s < count; ++s) {
    Series series{.name = std::string(kGroupNames[names[s]]), .colour = colours[s]};
    const double trend = random.normal(0, 0.28);
    double level = subject.typical * random.uniform(0.5, 1.1);
    for (std::size_t i = 0; i < data.categories.size(); ++i) {
      level = std::clamp(level, 0.1 * subject.typical, subject.limit);
      const double value = rounded_like(level, subject.typical);
      series.values.push_back(value);
      series.errors.push_back(rounded_like(value * random.uniform(0.04, 0.13), subject.typical));
      top = std::max(top, series.values.back() + series.errors.back());
      level *= std::exp(trend + random.normal(0, 0.12));
    }
    data.series.push_back(std::move(series));
  }
  data.axis_step = pleasant_step(top * 1.08);
  data.axis_top = std::ceil(top * 1.08 / data.axis_step) * data.axis_step;
  return data;
}

class ChartArtist {
 public:
  ChartArtist(const ChartData& data, int width, int height)
      : data_(data),
        painted_{.image = imaging::Image(width, height, 3, 255)},
        letter_(std::clamp(std::min(width, height) / 34.0, 4.0, 18.0)) {
    const int left = cvRound(letter_ * (data.axis_top >= 1000 ? 6.8 : 6.0)), top = cvRound(letter_ * 3.4);
    plot_ = {left, top, width - left - cvRound(letter_ * 1.2), height - top - cvRound(letter_ * 3.2)};
  }

  void draw_bars() {
    const double share = 0.78 / static_cast<double>(data_.series.size());
    for (std::size_t s = 0; s < data_.series.size(); ++s) {
      for (std::size_t i = 0; i < data_.categories.size(); ++i) {
        const double left = slot() * (static_cast<double>(i) + 0.11 + share * static_cast<double>(s));
        const cv::Point upper(cvRound(plot_.x + left), cvRound(y_of(data_.series[s].values[i])));
        const cv::Point lower(cvRound(plot_.x + left + slot() * share) - 1, plot_.br().y);
        cv::rectangle(canvas(), upper, lower, data_.series[s].colour, cv::FILLED);
        cv::rectangle(canvas(), upper, lower, {20, 20, 20}, line_);
        draw_error(plot_.x + left + slot() * share / 2, data_.series[s].values[i], data_.series[s].errors[i],
                   0.0);
      }
    }
  }

  void draw_lines() {
    for (std::size_t s = 0; s < data_.series.size(); ++s) {
      const cv::Scalar& colour = data_.series[s].colour;
      // White bars have an edge, and so have white markers; a line needs ink.
      const bool white = std::min({colour[0], colour[1], colour[2]}) > 230;
      const cv::Scalar line_colour = white ? cv::Scalar(20, 20, 20) : colour;
      std::vector<cv::Point2d> points;
      for (std::size_t i = 0; i < data_.categories.size(); ++i) {
        points.emplace_back(plot_.x + slot() * (static_cast<double>(i) + 0.5),
                            y_of(data_.series[s].values[i]));
        draw_error(points.back().x, data_.series[s].values[i], data_.series[s].errors[i],
                   data_.series[s].errors[i]);
      }
      for (std::size_t i = 1; i < points.size(); ++i)
        stroke(points[i - 1], points[i], line_colour, line_ + 1);
      for (const cv::Point2d& point : points) draw_marker(point, s, colour);
    }
  }

  void draw_frame() {
    const cv::Scalar ink(20, 20, 20);
    stroke({plot_.x + 0.0, plot_.y + 0.0}, {plot_.x + 0.0, plot_.br().y + 0.0}, ink, line_);
    stroke({plot_.x + 0.0, plot_.br().y + 0.0}, {plot_.br().x + 0.0, plot_.br().y + 0.0}, ink, line_);
    const TextStyle right{.height_px = letter_ * 0.85, .colour = ink, .anchor = Anchor::kRight};
    const int ticks = cvRound(data_.axis_top / data_.axis_step);
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(data_.axis_step) - 1e-9)));
    for (int i = 0; i <= ticks; ++i) {
      const double value = i * data_.axis_step, y = y_of(value);
      stroke({plot_.x - letter_ * 0.45, y}, {plot_.x + 0.0, y}, ink, line_);
      write(fmt::format("{:.{}f}", value, decimals), {plot_.x - letter_ * 0.75, y + letter_ * 0.42}, right);
    }
    const TextStyle below{.height_px = letter_ * 0.85, .colour = ink, .anchor = Anchor::kCentre};
    for (std::size_t i = 0; i < data_.categories.size(); ++i) {
      const double x = plot_.x + slot() * (static_cast<double>(i) + 0.5);
      stroke({x, plot_.br().y + 0.0}, {x, plot_.br().y + letter_ * 0.45}, ink, line_);
      write(data_.categories[i], {x, plot_.br().y + letter_ * 1.8}, below);
    }
    const std::string title =
        data_.unit.empty() ? data_.quantity : fmt::format("{} ({})", data_.quantity, data_.unit);
    write(title, {letter_ * 1.7, plot_.y + plot_.height / 2.0},
          {.height_px = letter_, .colour = ink, .anchor = Anchor::kCentre, .upwards = true});
    double x = plot_.x + letter_;
    for (const Series& series : data_.series) {
      const cv::Rect swatch(cvRound(x), cvRound(letter_ * 1.0), cvRound(letter_), cvRound(letter_));
      cv::rectangle(canvas(), swatch, series.colour, cv::FILLED);
      cv::rectangle(canvas(), swatch, ink, 1);
      const TextStyle legend{.height_px = letter_ * 0.85, .colour = ink};
      write(series.name, {x + letter_ * 1.5, letter_ * 1.95}, legend);
      x += letter_ * 3.2 + text_width(series.name, legend);
    }
  }

  Painted take() { return std::move(painted_); }

 private:
  cv::Mat canvas() { return imaging::as_mat(painted_.image); }
  double slot() const {
    return static_cast<double>(plot_.width) / static_cast<double>(data_.categories.size());
  }
  double y_of(double value) const { return plot_.br().y - plot_.height * value / data_.axis_top; }

  void stroke(cv::Point2d from, cv::Point2d to, const cv::Scalar& colour, int width) {
    cv::line(canvas(), {cvRound(from.x * 16), cvRound(from.y * 16)}, {cvRound(to.x * 16), cvRound(to.y * 16)},
             colour, width, cv::LINE_AA, 4);
  }
  void draw_error(double x, double value, double up, double down) {
    const cv::Scalar ink(20, 20, 20);
    const double cap = letter_ * 0.35;
    stroke({x, y_of(value - down)}, {x, y_of(value + up)}, ink, line_);
    stroke({x - cap, y_of(value + up)}, {x + cap, y_of(value + up)}, ink, line_);
    if (down > 0) stroke({x - cap, y_of(value - down)}, {x + cap, y_of(value - down)}, ink, line_);
  }
  void draw_marker(cv::Point2d at, std::size_t shape, const cv::Scalar& colour) {
    const double r = letter_ * 0.42;
    std::vector<cv::Point> corners;
    const int count = shape == 0 ? 20 : shape == 1 ? 4 : 3;
    for (int i = 0; i < count; ++i) {
      const double turn = 6.28318 * (i + (shape == 1 ? 0.5 : 0.25)) / count - (shape == 2 ? 2.0944 : 0);
      corners.emplace_back(cvRound((at.x + r * 1.15 * std::cos(turn)) * 16),
                           cvRound((at.y + r * 1.15 * std::sin(turn)) * 16));
    }
    cv::fillPoly(canvas(), std::vector<std::vector<cv::Point>>{corners}, colour, cv::LINE_AA, 4);
    cv::polylines(canvas(), corners, true, {20, 20, 20}, 1, cv::LINE_AA, 4);
  }
  void write(std::string_view text, cv::Point2d at, const TextStyle& style) {
    painted_.annotations.push_back(draw_text(painted_.image, text, at, style));
    painted_.lettering.emplace_back(text);
  }

  const ChartData& data_;
  Painted painted_;
  double letter_;
  cv::Rect plot_;
  int line_ = 1;
};

void describe(Painted& painted, const ChartData& data, const Subject& subject, bool bars) {
  painted.facts.push_back({"conditions", static_cast<double>(data.categories.size()), ""});
  const std::string unit = data.unit.empty() ? "" : " " + data.unit;
  painted.caption =
      fmt::format("{} of {} at {} conditions ({}).", bars ? "Bar chart" : "Line chart",
                  within_sentence(data.quantity), data.categories.size(), bars ? "mean + SD" : "mean +/- SD");
  for (const Series& series : data.series) {
    const double first = series.values.front(), last = series.values.back();
    painted.caption +=
        fmt::format(" {}: {}{} at {} and {}{} at {}.", series.name, shown(first, subject.typical), unit,
                    data.categories.front(), shown(last, subject.typical), unit, data.categories.back());
    const std::string trend = last > first ? "increased" : last < first ? "decreased" : "did not change";
    painted.sentences.push_back(
        fmt::format("In the {} group, {} {} from {} to {}{}.", series.name, within_sentence(data.quantity),
                    trend, shown(first, subject.typical), shown(last, subject.typical), unit));
    for (std::size_t i = 0; i < data.categories.size(); ++i) {
      painted.facts.push_back({series.name + "/" + data.categories[i], series.values[i], data.unit});
    }
  }
}

}  // namespace

Painted paint_chart(int width, int height, RandomStream random, RandomStream style) {
  const Subject& subject = random.pick(std::span(kSubjects));
  const ChartData data = invent_data(subject, random.fork("data"), style.fork("colours"));
  const bool bars = style.chance(0.6);
  ChartArtist artist(data, width, height);
  if (bars) {
    artist.draw_bars();
  } else {
    artist.draw_lines();
  }
  artist.draw_frame();
  Painted painted = artist.take();
  describe(painted, data, subject, bars);
  return painted;
}

}  // namespace awry::forge
