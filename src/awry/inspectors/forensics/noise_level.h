// SPDX-License-Identifier: Apache-2.0
// The noise that a camera or scanner left at each place of an image: the part of it that never repeats.
#pragma once

#include <opencv2/core.hpp>

namespace awry::inspectors::forensics {

// Below this, in grey levels, an area was drawn or clipped rather than recorded: labels, axes, plain
// backgrounds. Even rounding to 8 bits leaves more on a smooth slope.
inline constexpr float kLeastNoise = 0.18f;

// Median strength of the finest detail in a window of this diameter, in grey levels (CV_32F). A median, so
// that lines and edges through the window do not pass for noise.
cv::Mat noise_level(const cv::Mat& grey, int diameter);

// CV_8U: blocks of exactly equal pixels.
cv::Mat plain_areas(const cv::Mat& grey);

// CV_8U: areas made of exactly equal neighbours and what lies among them: letters, axes, plain backgrounds.
// Includes every place whose window of this diameter reaches into a plain area or the line framing it: the
// gap between two strips of a blot agrees with any other gap. Plain areas up to the level `darkest` do not
// count: compression makes the dark ground of fluorescence images as plain as paper.
cv::Mat drawn_areas(const cv::Mat& grey, int window, double darkest = -1);

// The least noise level around each place, 0 in drawn areas. Where edges and bands crowd a window even its
// median is not noise, but somewhere near by there is plain ground.
cv::Mat noise_floor(const cv::Mat& grey, int diameter);

// The median of |values| (CV_32F) in windows of this diameter, exact to 1/16 and cut off at 15.
cv::Mat local_median_magnitude(const cv::Mat& values, int diameter);

}  // namespace awry::inspectors::forensics
