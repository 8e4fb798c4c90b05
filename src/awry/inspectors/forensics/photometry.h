// SPDX-License-Identifier: Apache-2.0
// Were the levels or colours of a copy changed? A colour model fitted on what two aligned panels share.
#pragma once

#include <opencv2/core.hpp>
#include <string>
#include <vector>

namespace awry::inspectors::forensics {

struct ColourChange {
  bool changed = false;
  double shift_levels = 0;         // root mean square change that the model explains, in grey levels
  double leftover_levels = 0;      // what it does not explain: resampling, compression, real differences
  double gain = 1, offset = 0;     // of luma: second = gain * first + offset
  std::vector<std::string> kinds;  // of "brightness", "contrast", "saturation", "hue", "colour_temperature"
};

// Both CV_8UC3 in one frame; `shared` (CV_8U) marks the pixels that show the same thing.
ColourChange fit_colour_change(const cv::Mat& first, const cv::Mat& second, const cv::Mat& shared);

}  // namespace awry::inspectors::forensics
