// SPDX-License-Identifier: Apache-2.0
// How much of the finest detail of an image is no detail, but the rounding of its grey levels and of JPEG.
//
// Copies that were compressed apart agree only as far as what was rounded away allows.
#pragma once

#include <opencv2/core.hpp>

namespace awry::inspectors::forensics {

// The quality (1 to 99) at which the pixels were compressed with the usual tables, told from steps between
// their cosine coefficients on the grid that starts in the upper left corner; 0: no such steps.
int jpeg_quality_of(const cv::Mat& grey);  // CV_32F, 0..255

// Variance of the rounding errors of an image of this quality (0: of whole grey levels alone) in the band
// between the two blurs of band_pass.
double coding_noise(int jpeg_quality, double fine_sigma, double coarse_sigma);

}  // namespace awry::inspectors::forensics
