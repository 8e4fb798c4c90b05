// SPDX-License-Identifier: Apache-2.0
// Letters and scale bars. OpenCV's stroke font is drawn four times too large and shrunk, which gives the
// even grey edges of printed figures.
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/base/text.h"
#include "awry/forge/brushes.h"

namespace awry::forge {
namespace {

constexpr int kOversampling = 4;
constexpr int kFont = cv::FONT_HERSHEY_SIMPLEX;

struct Glyphs {
  cv::Mat1b coverage;  // at the panel's own resolution
  cv::Point origin;    // where the base line starts within it
};

double font_scale(const TextStyle& style) {
  return cv::getFontScaleFromHeight(kFont, 100, 1) * style.height_px * kOversampling / 100;
}

int stroke_width(const TextStyle& style) {
  return std::max(1, cvRound(style.height_px * kOversampling * (style.bold ? 0.2 : 0.13)));
}

// The stroke font knows no plus-minus sign: it is a plus with a line below it.
constexpr std::string_view kPlusMinus = "\u00b1";

std::string plain(std::string_view text) {
  return replace_all(text, kPlusMinus, "+");
}

int plain_width(std::string_view text, const TextStyle& style) {
  int below = 0;
  return cv::getTextSize(plain(text), kFont, font_scale(style), stroke_width(style), &below).width;
}

void underline_plus_minus(cv::Mat1b& large, std::string_view text, cv::Point origin, const TextStyle& style) {
  for (std::size_t at = text.find(kPlusMinus); at != std::string_view::npos;
       at = text.find(kPlusMinus, at + kPlusMinus.size())) {
    const int from = origin.x + plain_width(text.substr(0, at), style),
              to = origin.x + plain_width(text.substr(0, at + kPlusMinus.size()), style);
    const int inset = (to - from) / 6;
    cv::line(large, {from + inset, origin.y}, {to - inset, origin.y}, 255, stroke_width(style), cv::LINE_AA);
  }
}

Glyphs draw_glyphs(const std::string& original, const TextStyle& style) {
  const std::string text = plain(original);
  int below = 0;
  const cv::Size size = cv::getTextSize(text, kFont, font_scale(style), stroke_width(style), &below);
  const int margin = 2 * kOversampling;
  const auto rounded = [](int side) { return (side + kOversampling - 1) / kOversampling * kOversampling; };
  const int base = rounded(size.height + margin);
  cv::Mat1b large(base + rounded(below + margin), rounded(size.width + 2 * margin), std::uint8_t{0});
  cv::putText(large, text, {margin, base}, kFont, font_scale(style), 255, stroke_width(style), cv::LINE_AA);
  underline_plus_minus(large, original, {margin, base}, style);
  Glyphs glyphs;
  cv::resize(large, glyphs.coverage, large.size() / kOversampling, 0, 0, cv::INTER_AREA);
  glyphs.origin = {margin / kOversampling, base / kOversampling};
  if (style.upwards) {
    const int width = glyphs.coverage.cols;
    cv::rotate(glyphs.coverage, glyphs.coverage, cv::ROTATE_90_COUNTERCLOCKWISE);
    glyphs.origin = {glyphs.origin.y, width - 1 - glyphs.origin.x};
  }
  return glyphs;
}

void blend(imaging::Image& image, int x, int y, const cv::Scalar& colour, double coverage) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  std::uint8_t* pixel = image.at(x, y);
  for (int c = 0; c < image.channels; ++c) {
    pixel[c] = cv::saturate_cast<std::uint8_t>(pixel[c] + coverage * (colour[c] - pixel[c]));
  }
}

}  // namespace

double text_width(std::string_view text, const TextStyle& style) {
  int below = 0;
  const auto size = cv::getTextSize(plain(text), kFont, font_scale(style), stroke_width(style), &below);
  return static_cast<double>(size.width) / kOversampling;
}

Box draw_text(imaging::Image& image, std::string_view text, cv::Point2d at, const TextStyle& style) {
  const Glyphs glyphs = draw_glyphs(std::string(text), style);
  const double width = text_width(text, style);
  const double back = style.anchor == Anchor::kLeft ? 0 : style.anchor == Anchor::kCentre ? width / 2 : width;
  const cv::Point2d start = style.upwards ? at + cv::Point2d(0, back) : at - cv::Point2d(back, 0);
  const cv::Point corner = cv::Point(cvRound(start.x), cvRound(start.y)) - glyphs.origin;
  for (int y = 0; y < glyphs.coverage.rows; ++y) {
    for (int x = 0; x < glyphs.coverage.cols; ++x) {
      const double coverage = glyphs.coverage(y, x) / 255.0;
      if (coverage > 0) blend(image, corner.x + x, corner.y + y, style.colour, coverage);
    }
  }
  const cv::Rect drawn = cv::Rect(corner, glyphs.coverage.size()) & cv::Rect(0, 0, image.width, image.height);
  return {.x = static_cast<double>(drawn.x),
          .y = static_cast<double>(drawn.y),
          .width = static_cast<double>(drawn.width),
          .height = static_cast<double>(drawn.height)};
}

Box draw_scale_bar(imaging::Image& image, int length_px, cv::Scalar colour) {
  const int margin = std::max(4, std::min(image.width, image.height) / 25);
  const int thickness = std::max(2, std::min(image.width, image.height) / 90);
  const cv::Rect bar =
      cv::Rect(image.width - margin - length_px, image.height - margin - thickness, length_px, thickness) &
      cv::Rect(0, 0, image.width, image.height);
  cv::Mat canvas = imaging::as_mat(image);
  canvas(bar).setTo(colour);
  return {static_cast<double>(bar.x), static_cast<double>(bar.y), static_cast<double>(bar.width),
          static_cast<double>(bar.height)};
}

}  // namespace awry::forge
