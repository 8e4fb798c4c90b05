// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/working_image.h"

#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/imaging/mask.h"
#include "awry/imaging/opencv.h"

namespace awry::inspectors::forensics {
namespace {

// Pixel centres lie at whole coordinates, so scaling moves the origin by half a pixel.
cv::Matx33d working_from_original(double scale) {
  const double shift = (scale - 1) / 2;
  return {scale, 0, shift, 0, scale, shift, 0, 0, 1};
}

}  // namespace

WorkingImage prepare(const imaging::Image& image, int max_pixels) {
  WorkingImage result{.width = image.width, .height = image.height};
  if (image.empty()) return result;
  const imaging::Image rgb = imaging::to_rgb(image);
  cv::Mat pixels = imaging::as_mat(rgb).clone();
  const double area = static_cast<double>(image.width) * image.height;
  if (area > max_pixels) {
    result.scale = std::sqrt(max_pixels / area);
    const cv::Size size(std::max(1, cvRound(image.width * result.scale)),
                        std::max(1, cvRound(image.height * result.scale)));
    cv::resize(pixels, pixels, size, 0, 0, cv::INTER_AREA);
  }
  result.rgb = pixels;
  cv::Mat grey;
  cv::cvtColor(pixels, grey, cv::COLOR_RGB2GRAY);
  grey.convertTo(result.grey, CV_32F);
  return result;
}

Mask original_mask(const cv::Mat& mask, const WorkingImage& image) {
  cv::Mat full;
  cv::resize(mask, full, {image.width, image.height}, 0, 0, cv::INTER_NEAREST);
  imaging::Bitmap bitmap(image.width, image.height);
  for (int y = 0; y < full.rows; ++y) {
    const std::uint8_t* row = full.ptr(y);
    for (int x = 0; x < full.cols; ++x) bitmap.at(x, y) = row[x] != 0;
  }
  return imaging::mask_from_bitmap(bitmap);
}

Transform original_transform(const cv::Matx33d& second_from_first, const WorkingImage& first,
                             const WorkingImage& second) {
  const cv::Matx33d m =
      working_from_original(second.scale).inv() * second_from_first * working_from_original(first.scale);
  Transform result;
  for (int i = 0; i < 9; ++i) result[i] = m.val[i];
  return result;
}

cv::Mat band_pass(const cv::Mat& grey, double fine_sigma, double coarse_sigma) {
  cv::Mat fine, coarse;  // never `fine = grey`: the filter would write into the caller's pixels
  if (fine_sigma > 0) cv::GaussianBlur(grey, fine, {}, fine_sigma, 0, cv::BORDER_REFLECT);
  // Two boxes are close to a Gaussian and cost the same at any width.
  const int width =
      2 * static_cast<int>(std::lround((std::sqrt(6 * coarse_sigma * coarse_sigma + 1) - 1) / 2)) + 1;
  cv::boxFilter(grey, coarse, CV_32F, {width, width}, {-1, -1}, true, cv::BORDER_REFLECT);
  cv::boxFilter(coarse, coarse, CV_32F, {width, width}, {-1, -1}, true, cv::BORDER_REFLECT);
  return (fine.empty() ? grey : fine) - coarse;
}

}  // namespace awry::inspectors::forensics
