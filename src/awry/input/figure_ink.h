// SPDX-License-Identifier: Apache-2.0
// What is drawn and what is paper. Internal to input/, because it speaks OpenCV.
#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "awry/imaging/image.h"

namespace awry::input {

// 255 where a pixel differs from the paper, 0 elsewhere. The paper is what most of the border shows; white
// when the border shows no one colour.
cv::Mat ink_of(const imaging::Image& image);

// Share of the marked pixels in `box`, which must lie inside.
double density(const cv::Mat& ink, const cv::Rect& box);

// The smallest box around what is marked inside `box`; empty when nothing is.
cv::Rect trimmed(const cv::Mat& ink, const cv::Rect& box);

// Boxes of connected pieces after gaps of up to `gap` pixels have been closed.
std::vector<cv::Rect> pieces_of(const cv::Mat& ink, int gap);

double distance_between(const cv::Rect& a, const cv::Rect& b);  // 0 when they touch or overlap

}  // namespace awry::input
