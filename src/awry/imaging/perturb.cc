// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/perturb.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/imaging/decode.h"
#include "awry/imaging/encode.h"
#include "awry/imaging/opencv.h"
#include "awry/imaging/resize.h"

namespace awry::imaging {

Image gaussian_blurred(const Image& image, double sigma) {
  assert(sigma >= 0 && "a standard deviation is not negative");
  if (sigma == 0 || image.empty()) return image;
  Image blurred(image.width, image.height, image.channels);
  cv::Mat to = as_mat(blurred);
  // Four deviations a side: what lies beyond is below one grey level.
  const int radius = std::max(1, static_cast<int>(std::ceil(4 * sigma)));
  cv::GaussianBlur(as_mat(image), to, {2 * radius + 1, 2 * radius + 1}, sigma, sigma, cv::BORDER_REFLECT_101);
  return blurred;
}

Result<Image> jpeg_round_trip(const Image& image, int quality) {
  AWRY_TRY_ASSIGN(const std::string bytes, encode_jpeg(image, quality));
  return decode_image(bytes, "JPEG round trip", {.limits = {.max_bytes = bytes.size(), .max_pixels = ~0ULL}});
}

Image scaled(const Image& image, double factor, ScaledSize size) {
  assert(factor > 0 && "a factor is positive");
  if (image.empty()) return image;
  const auto side = [&](int length) { return std::max(1, static_cast<int>(std::lround(length * factor))); };
  Image other = resize_direct(image, side(image.width), side(image.height)).image;
  return size == ScaledSize::kKept ? other : resize_direct(other, image.width, image.height).image;
}

}  // namespace awry::imaging
