// SPDX-License-Identifier: Apache-2.0
// Drawings share symbols, words and frames without being copies of each other: charts of one series, pages of
// one program. One drawing repeats another when all of it does, so what differs counts here.
#pragma once

#include <opencv2/core.hpp>

namespace awry::inspectors::forensics {

struct DrawnOverlap {
  bool is_drawn = false;   // mostly plain areas
  double unexplained = 0;  // share of the lines and letters in either panel that the other one lacks
  double ink = 0;          // share of the overlap that is lines and letters
};

// Both grey (CV_32F) in one frame; `covered` (CV_8U) is where both have pixels. Changed levels are allowed
// for.
DrawnOverlap look_at_drawn_overlap(const cv::Mat& first, const cv::Mat& second, const cv::Mat& covered);

}  // namespace awry::inspectors::forensics
