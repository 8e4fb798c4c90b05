// SPDX-License-Identifier: Apache-2.0
// Looking closely: once a motion is suspected, do the pixels agree, where, and beyond what chance gives?
#pragma once

#include <array>
#include <opencv2/core.hpp>
#include <optional>

#include "awry/inspectors/forensics/geometry.h"

namespace awry::inspectors::forensics {

// The band of detail that is compared. Fine detail includes the noise of the camera, which two pictures of
// one scene do not share and two copies of one picture do.
struct DetailBand {
  double fine_sigma = 0.8, coarse_sigma = 3.5;
};

struct DenseAgreement {
  cv::Mat correlation;  // CV_32F in the first image's frame, -1..1; 0 where nothing can be said
  cv::Mat comparable;   // CV_8U: covered by both images, with detail in both
  cv::Mat covered;      // CV_8U: covered by both images
  double mean = 0;      // of the correlation, over what is comparable
  double share = 0;     // of the comparable area that agrees
  double windows = 0;   // independent windows in the comparable area
};

struct DenseOptions {
  DetailBand band;
  int radius = 8;                // of the window that is correlated
  double min_correlation = 0.6;  // from here on a window agrees
  double min_detail = 0.45;      // grey levels: less is rounding noise
  double min_isotropy = 0.03;    // weakest over strongest direction: along a mere edge anything fits
  // Rounding keeps even copies from agreeing fully. With their qualities (jpeg_quality_of) given, correlation
  // is told as a share of what can be expected, and windows that are mostly rounding errors say nothing.
  std::optional<std::array<int, 2>> qualities;
};

DenseAgreement compare_densely(const cv::Mat& first, const cv::Mat& second, const Motion& second_from_first,
                               const DenseOptions& options = {});

// The second image seen in the first one's frame, by cubic interpolation; `covered` tells where it reaches.
cv::Mat warp_to_first(const cv::Mat& second, const Motion& second_from_first, cv::Size first,
                      cv::Mat* covered);

enum class Freedom { kShift, kShiftScaleRotation };

// Improves a motion that is right within a few pixels (Gauss-Newton on what `freedom` lets vary).
Motion refine_motion(const cv::Mat& first, const cv::Mat& second, const Motion& second_from_first,
                     Freedom freedom = Freedom::kShiftScaleRotation);

// The same with every freedom, but gives up when hardly anything agrees at half size: most suspected motions
// are chance, and should cost little.
std::optional<Motion> refine_if_alike(const cv::Mat& first, const cv::Mat& second,
                                      const Motion& second_from_first);

}  // namespace awry::inspectors::forensics
