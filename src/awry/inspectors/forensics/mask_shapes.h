// SPDX-License-Identifier: Apache-2.0
// Tidying masks (CV_8U, 0 or 255): places rather than scattered pixels.
#pragma once

#include <opencv2/core.hpp>

#include "awry/inspectors/forensics/geometry.h"

namespace awry::inspectors::forensics {

// A round structuring element.
cv::Mat ellipse(int diameter);

// Keeps what the shape fits into. In place also where a side of the shape is even, where OpenCV's own opening
// moves the result by one.
cv::Mat opened(const cv::Mat& mask, const cv::Mat& shape);

cv::Mat without_holes(const cv::Mat& mask);

// Where the pixels of a mask go under a motion within one image.
cv::Mat moved_mask(const cv::Mat& mask, const Motion& motion);

// The connected parts of `candidates` that contain at least `min_core` pixels of `core` and `min_area` in
// all.
cv::Mat parts_holding(const cv::Mat& candidates, const cv::Mat& core, double min_core, double min_area);

}  // namespace awry::inspectors::forensics
