// SPDX-License-Identifier: Apache-2.0
// The form in which detectors see an image: upright RGB and float grey, no larger than they need.
#pragma once

#include <opencv2/core.hpp>

#include "awry/imaging/image.h"
#include "awry/records/region.h"

namespace awry::inspectors::forensics {

struct WorkingImage {
  cv::Mat rgb;                // CV_8UC3
  cv::Mat grey;               // CV_32F, 0..255
  double scale = 1;           // working pixels per original pixel; 1 unless the original was too large
  int width = 0, height = 0;  // of the original
};

// Alpha is composed over white. Images above `max_pixels` are reduced; smaller ones keep every pixel.
WorkingImage prepare(const imaging::Image& image, int max_pixels);

// What a mask (CV_8U) of the working image covers in the original.
Mask original_mask(const cv::Mat& mask, const WorkingImage& image);

// The same transform between the two originals, given one between the working images.
Transform original_transform(const cv::Matx33d& second_from_first, const WorkingImage& first,
                             const WorkingImage& second);

// Keeps detail between the two blur radii: illumination goes, and with it brightness and contrast.
cv::Mat band_pass(const cv::Mat& grey, double fine_sigma, double coarse_sigma);

}  // namespace awry::inspectors::forensics
