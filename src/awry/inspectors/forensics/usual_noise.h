// SPDX-License-Identifier: Apache-2.0
// How noisy each pixel is for its brightness: cameras are noisier where it is brighter.
#pragma once

#include <opencv2/core.hpp>

namespace awry::inspectors::forensics {

struct RelativeNoise {
  cv::Mat1f expected;  // grey levels: the usual magnitude of the finest detail at this brightness
  cv::Mat1f relative;  // finest detail over what was expected, cut off where it must be structure
};
RelativeNoise relative_noise(const cv::Mat& grey);  // CV_32F

}  // namespace awry::inspectors::forensics
