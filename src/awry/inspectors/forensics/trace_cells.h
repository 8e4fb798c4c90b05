// SPDX-License-Identifier: Apache-2.0
// The traces that recording, scaling and compression leave in a picture, told cell by cell: what a place
// pasted in from another recording has differently.
#pragma once

#include <opencv2/core.hpp>
#include <vector>

namespace awry::inspectors::forensics {

inline constexpr int kTraceCell = 8;       // pixels
inline constexpr int kTraceChannels = 56;  // trace_cells.cc lists them

// Of an RGB image (CV_8UC3): kTraceChannels planes of one float for every whole cell. Strengths are
// logarithms, so that gains become differences. Empty when not even one cell fits.
std::vector<cv::Mat1f> trace_cells(const cv::Mat& rgb);

}  // namespace awry::inspectors::forensics
