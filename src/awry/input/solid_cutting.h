// SPDX-License-Identifier: Apache-2.0
// Pictures that touch: a solid body -> the pictures it is made of. Internal to input/, because it speaks
// OpenCV.
//
// Two things give a boundary away: a thin line of one brightness that differs from both its sides (a narrow
// gutter, white or black), and a seam, where brightness jumps all along a straight line far more than it does
// on either side of it.
#pragma once

#include <opencv2/core.hpp>
#include <vector>

namespace awry::input {

// `grey` and `ink` are of the whole figure. Bodies that are not solid (plots, drawings) come back as they
// are.
std::vector<cv::Rect> cut_solid(const cv::Mat& grey, const cv::Mat& ink, const cv::Rect& body);

}  // namespace awry::input
