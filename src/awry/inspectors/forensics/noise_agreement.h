// SPDX-License-Identifier: Apache-2.0
// Do two places share their noise, or only their shapes?
//
// Blot bands, lanes and frames resemble one another, and where an image is smooth any two slopes correlate.
// Noise that was recorded twice differs, noise that was copied does not. So the residual at the motion in
// question is held against the residual at motions a few pixels off, where whatever smooth structure has in
// common remains, but a copy has nothing left to show.
#pragma once

#include "awry/inspectors/forensics/geometry.h"

namespace awry::inspectors::forensics {

struct NoiseAgreement {
  double correlation = 0;   // of the residual with itself under the motion
  double usual = 0;         // the same, a few pixels off
  double deviations = 0;    // of the first from the second, on the scale of Fisher's z
  double log10_chance = 0;  // of as many deviations
};

// Within `where` (CV_8U) of one image. The detail between the two radii of blur is the residual; the finest
// is noise, which compression and scaling take away first.
NoiseAgreement compare_noise(const cv::Mat& grey, const Motion& motion, const cv::Mat& where,
                             double fine_sigma = 0, double coarse_sigma = 1);

}  // namespace awry::inspectors::forensics
