// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/resize.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/imaging/opencv.h"

namespace awry::imaging {
namespace {

int rounded_side(double side) {
  return std::max(1, static_cast<int>(std::lround(side)));
}

Resized resize_by(const Image& image, double factor) {
  return resize_direct(image, rounded_side(image.width * factor), rounded_side(image.height * factor));
}

std::uint8_t pad_value(PadColour pad) {
  return pad == PadColour::kBlack ? 0 : pad == PadColour::kGrey ? 128 : 255;
}

}  // namespace

Resized resize_direct(const Image& image, int width, int height) {
  assert(!image.empty() && width > 0 && height > 0 && "resizing needs pixels on both sides");
  if (width == image.width && height == image.height) return {image};
  Resized result{Image(width, height, image.channels),
                 {static_cast<double>(width) / image.width, 0, 0, 0,
                  static_cast<double>(height) / image.height, 0, 0, 0, 1}};
  const bool shrinks = width <= image.width && height <= image.height;
  cv::Mat resized = as_mat(result.image);
  cv::resize(as_mat(image), resized, resized.size(), 0, 0, shrinks ? cv::INTER_AREA : cv::INTER_CUBIC);
  return result;
}

Resized resize_pad_to_square(const Image& image, int side, PadColour pad) {
  assert(!image.empty() && side > 0 && "resizing needs pixels on both sides");
  const double factor = static_cast<double>(side) / std::max(image.width, image.height);
  const Resized inner = resize_by(image, factor);
  const int left = (side - inner.image.width) / 2, top = (side - inner.image.height) / 2;
  Resized result{Image(side, side, image.channels, pad_value(pad)), inner.image_from_original};
  cv::Mat square = as_mat(result.image);
  as_mat(inner.image).copyTo(square(cv::Rect(left, top, inner.image.width, inner.image.height)));
  result.image_from_original[2] = left;
  result.image_from_original[5] = top;
  return result;
}

Resized resize_long_edge(const Image& image, int long_edge, Enlarge enlarge) {
  const double factor = static_cast<double>(long_edge) / std::max(image.width, image.height);
  return factor > 1 && enlarge == Enlarge::kNo ? Resized{image} : resize_by(image, factor);
}

Resized resize_short_side(const Image& image, int short_side, Enlarge enlarge) {
  const double factor = static_cast<double>(short_side) / std::min(image.width, image.height);
  return factor > 1 && enlarge == Enlarge::kNo ? Resized{image} : resize_by(image, factor);
}

Resized resize_pixel_budget(const Image& image, std::int64_t max_pixels) {
  assert(max_pixels > 0 && "a budget of no pixels leaves no image");
  const double pixels = static_cast<double>(image.width) * image.height;
  if (pixels <= static_cast<double>(max_pixels)) return {image};
  const double factor = std::sqrt(static_cast<double>(max_pixels) / pixels);
  // Rounded down, for a budget is a limit; where one side is already 1, the other has to give way.
  std::int64_t width = std::max(1, static_cast<int>(image.width * factor));
  std::int64_t height = std::max(1, static_cast<int>(image.height * factor));
  width = std::min(width, max_pixels / std::min(height, max_pixels));
  height = std::min(height, max_pixels / width);
  return resize_direct(image, static_cast<int>(width), static_cast<int>(height));
}

Resized resize_two_stage(const Image& image, const TwoStageLimits& limits) {
  assert(limits.max_long_edge > 0 && limits.max_pixels > 0 && limits.step > 0 && limits.step < 1 &&
         "limits must be positive, and each step must shrink");
  double width = image.width, height = image.height;
  const double factor = std::min(1.0, limits.max_long_edge / std::max(width, height));
  width = rounded_side(width * factor);
  height = rounded_side(height * factor);
  while (width * height > static_cast<double>(limits.max_pixels)) {
    width = std::max(1.0, std::floor(width * limits.step));
    height = std::max(1.0, std::floor(height * limits.step));
  }
  return resize_direct(image, static_cast<int>(width), static_cast<int>(height));
}

Box map_box(const Box& box, const Transform& m) {
  const double xs[] = {box.x, box.x + box.width}, ys[] = {box.y, box.y + box.height};
  double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
  for (const double x : xs) {
    for (const double y : ys) {
      const double w = m[6] * x + m[7] * y + m[8];
      const double to_x = (m[0] * x + m[1] * y + m[2]) / w, to_y = (m[3] * x + m[4] * y + m[5]) / w;
      left = std::min(left, to_x), right = std::max(right, to_x);
      top = std::min(top, to_y), bottom = std::max(bottom, to_y);
    }
  }
  return {left, top, right - left, bottom - top};
}

Transform invert(const Transform& m) {
  const double determinant = m[0] * m[4] - m[1] * m[3];
  assert(determinant != 0 && "a mapping without extent has no inverse");
  const double a = m[4] / determinant, b = -m[1] / determinant, c = -m[3] / determinant,
               d = m[0] / determinant;
  return {a, b, -(a * m[2] + b * m[5]), c, d, -(c * m[2] + d * m[5]), 0, 0, 1};
}

}  // namespace awry::imaging
