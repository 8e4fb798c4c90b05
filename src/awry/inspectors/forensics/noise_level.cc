// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/noise_level.h"

#include <opencv2/imgproc.hpp>

#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {

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

}  // namespace awry::inspectors::forensics
