// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/noise_level.h"

#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

cv::Mat equal_neighbours(const cv::Mat& grey) {
  cv::Mat lowest, highest;
  cv::erode(grey, lowest, cv::Mat::ones(3, 3, CV_8U));
  cv::dilate(grey, highest, cv::Mat::ones(3, 3, CV_8U));
  return lowest == highest;
}

}  // namespace

cv::Mat local_median_magnitude(const cv::Mat& values, int diameter) {
  constexpr double steps = 16;  // bytes, because their medians cost the same in windows of any size
  cv::Mat bytes, result;
  cv::convertScaleAbs(values, bytes, steps);
  cv::medianBlur(bytes, bytes, diameter);
  bytes.convertTo(result, CV_32F, 1 / steps);
  return result;
}

cv::Mat noise_level(const cv::Mat& grey, int diameter) {
  return local_median_magnitude(band_pass(grey, 0, 1), diameter);
}

cv::Mat plain_areas(const cv::Mat& grey) {
  constexpr int least_block = 5;
  cv::Mat flat = equal_neighbours(grey);
  cv::morphologyEx(flat, flat, cv::MORPH_OPEN, cv::Mat::ones(least_block, least_block, CV_8U));
  return flat;
}

cv::Mat drawn_areas(const cv::Mat& grey, int window, double darkest) {
  constexpr int diameter = 25, line = 2;
  constexpr double max_share = 0.3;  // dark corners of a recording clip to 0 here and there
  cv::Mat flat = equal_neighbours(grey), share, beside;
  flat.setTo(0, grey <= darkest);
  cv::boxFilter(flat, share, CV_32F, {diameter, diameter}, {-1, -1}, true, cv::BORDER_REFLECT);
  const int reach = window + 2 * (1 + line);
  cv::dilate(plain_areas(grey) & (grey > darkest), beside, cv::Mat::ones(reach, reach, CV_8U));
  return (share > 255 * max_share) | beside;
}

cv::Mat noise_floor(const cv::Mat& grey, int diameter) {
  constexpr int reach = 25;
  constexpr float unknown = 1e6f;
  cv::Mat level = noise_level(grey, diameter), floor;
  const cv::Mat drawn = drawn_areas(grey, diameter) | (level < kLeastNoise);
  level.setTo(unknown, drawn);
  cv::erode(level, floor, cv::Mat::ones(reach, reach, CV_8U));
  floor.setTo(0, drawn);
  return floor;
}

}  // namespace awry::inspectors::forensics
