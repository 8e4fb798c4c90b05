// SPDX-License-Identifier: Apache-2.0
// All shifts at once: cross-correlation of whitened detail through the Fourier transform.
//
// A copy shares its very noise with the original, so even where no keypoint exists the correlation rises
// at one shift to about the share of pixels copied, far above the 1/sqrt(pixels) of chance.
#pragma once

#include <opencv2/core.hpp>
#include <vector>

namespace awry::inspectors::forensics {

struct ShiftPeak {
  int dx = 0, dy = 0;     // content at (x, y) of the first appears at (x + dx, y + dy) of the second
  double height = 0;      // correlation over the overlap, -1..1
  double deviations = 0;  // above the mean of all shifts, in their robust standard deviations
};

// Fine detail divided by its local strength, so that one bright object does not outvote the panel.
cv::Mat whitened_detail(const cv::Mat& grey, double fine_sigma, double coarse_sigma);

// Spectra are computed once and reused over many searches.
struct Spectrum {
  cv::Mat values;  // CCS-packed
  cv::Size size, padded;
};
Spectrum spectrum_of(const cv::Mat& whitened, cv::Size padded);
cv::Size padded_size(cv::Size first, cv::Size second);

struct ShiftOptions {
  int max_peaks = 4;
  int peak_radius = 3;        // peaks nearer to a higher one belong to it
  int min_distance = 0;       // ignore shifts shorter than this (self-comparison)
  double min_overlap = 0.08;  // ignore shifts with less common area than this share of the smaller image
};
std::vector<ShiftPeak> find_shifts(const Spectrum& first, const Spectrum& second,
                                   const ShiftOptions& options = {});

}  // namespace awry::inspectors::forensics
