// SPDX-License-Identifier: Apache-2.0
// Pictures that touch: a solid body -> the pictures it is made of. Internal to input/, because it speaks
// OpenCV.
//
// First it is cut wherever a boundary shows (picture_seams.h), clearest first; a boundary that runs on from
// beside counts twice. Then where one is to be expected: pictures in a figure are as large as one another,
// and their edges are in line.
#pragma once

#include <opencv2/core.hpp>
#include <vector>

namespace awry::input {

// `rgb` and `ink` are of the whole figure. Bodies that are not solid (plots, drawings) come back as they are.
std::vector<cv::Rect> cut_solid(const cv::Mat& rgb, const cv::Mat& ink, const cv::Rect& body);

}  // namespace awry::input
