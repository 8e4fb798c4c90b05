// SPDX-License-Identifier: Apache-2.0
// What an image looks like across a possible seam: noise and steepness at each distance from a line.
//
// Pasting leaves a line along which two recordings meet. Blending them averages two noises (the noise dips in
// a band a few pixels wide), bends the brightness at the ends of the band, and lets the content jump. None of
// this is visible in one pixel, but all of it is when averaged along the line.
#pragma once

#include <array>
#include <opencv2/core.hpp>

namespace awry::inspectors::forensics {

inline constexpr int kSeamDirections = 8;  // of the line, over half a turn
inline constexpr int kSeamReach = 8;       // pixels to either side

// A quantity measured along short stretches of the line, at every distance from -reach to reach.
struct SeamQuantity {
  int reach;
  int stretch;  // pixels along the line
};
enum SeamQuantityIndex { kNoiseNearby, kNoiseAlong, kSlope, kBend };
inline constexpr std::array<SeamQuantity, 4> kSeamQuantities = {{{.reach = 8, .stretch = 13},
                                                                 {.reach = 8, .stretch = 29},
                                                                 {.reach = 6, .stretch = 13},
                                                                 {.reach = 6, .stretch = 13}}};

consteval int count_seam_features() {
  int count = 0;
  for (const SeamQuantity& quantity : kSeamQuantities) count += 2 * quantity.reach + 1;
  return count;
}
inline constexpr int kSeamFeatures = count_seam_features();
using SeamFeatures = std::array<float, kSeamFeatures>;

// An image with what its brightness leads one to expect of the noise (both CV_32F, in grey levels).
struct SeamSubject {
  cv::Mat1f grey;
  cv::Mat1f expected_noise;
  cv::Mat1f relative_noise;  // finest detail over what was expected
};
SeamSubject seam_subject(const cv::Mat& grey);

// The image turned so that lines of one direction are rows, sampled every kColumnStep pixels along them.
struct SeamFrame {
  static constexpr int kColumnStep = 4;
  cv::Matx23d frame_from_image;                              // pixels of the turned image before sampling
  std::array<cv::Mat1f, kSeamQuantities.size()> quantities;  // logarithms
  cv::Mat1b inside;                                          // not beyond the edge of the image
};
SeamFrame seam_frame(const SeamSubject& subject, int direction);

// The angle of the line of a direction, in radians; its normal, from the near to the far side, in the image.
double seam_angle(int direction);
cv::Point2d seam_normal(int direction);

// The profile at a place of the image; `flipped` looks from the far side. False near the edge of the image.
bool seam_features_at(const SeamFrame& frame, cv::Point2d place, bool flipped, SeamFeatures& features);

}  // namespace awry::inspectors::forensics
