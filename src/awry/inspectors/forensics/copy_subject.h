// SPDX-License-Identifier: Apache-2.0
// One image as the search for copies inside it sees it.
#pragma once

#include <opencv2/core.hpp>

#include "awry/inspectors/forensics/dense_check.h"

namespace awry::inspectors::forensics {

inline constexpr int kCopyRadius = 5;  // of the windows that are compared
inline constexpr double kCopyWindowArea = (2.0 * kCopyRadius + 1) * (2 * kCopyRadius + 1);
inline constexpr DetailBand kCopyBand{0.6, 3};
inline constexpr double kNoisyCopyCorrelation = 0.9;     // noise never repeats this well by itself
inline constexpr double kSmoothCopyCorrelation = 0.995;  // smooth shapes, blot bands above all, reach 0.99

// The image, and where it was recorded rather than drawn: letters and ticks repeat by nature.
struct CopySubject {
  cv::Mat grey;
  cv::Mat noise;     // noise_floor
  cv::Mat recorded;  // CV_8U: with detail, and not drawn; less strict than `noise`, which compression ruins
  cv::Mat required;  // CV_32F: the correlation a copy must reach, higher where shapes outweigh noise
};

CopySubject copy_subject(const cv::Mat& grey);

// Charts, tables, diagrams and screenshots, whose symbols repeat by nature: mostly plain paper, or hardly a
// window of some size that looks recorded.
bool is_drawing(const CopySubject& subject);

// Places nearer to each other than this, in pixels, are one place.
double least_copy_distance(cv::Size size);
// CV_8U: which pixels a motion takes farther than that.
cv::Mat moved_far_enough(const Motion& motion, cv::Size size);

}  // namespace awry::inspectors::forensics
