// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/splicing_evidence.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "awry/inspectors/forensics/seam_map.h"

namespace awry::inspectors::forensics {
namespace {

double odds_elsewhere(const cv::Mat1f& seam_map, const cv::Mat1b& near_border) {
  constexpr double rest = 0.05;
  std::vector<float> odds;
  for (int y = 0; y < seam_map.rows; ++y) {
    for (int x = 0; x < seam_map.cols; ++x) {
      if (!near_border(y, x)) odds.push_back(seam_map(y, x));
    }
  }
  if (odds.empty()) return kNoSeam;
  const auto at =
      odds.begin() + static_cast<std::ptrdiff_t>((1 - rest) * static_cast<double>(odds.size() - 1));
  std::nth_element(odds.begin(), at, odds.end());
  return *at;
}

// Mean logarithm of the relative noise in small cells: a mean of magnitudes would follow the few edges.
double noise_contrast(const cv::Mat1b& inside, const cv::Mat1b& outside, const cv::Mat1f& relative_noise) {
  constexpr double floor = 0.1, least_cells = 30;
  cv::Mat1f cells;
  cv::boxFilter(relative_noise, cells, CV_32F, {2 * kSeamMapStep + 1, 2 * kSeamMapStep + 1});
  double sums[2] = {}, counts[2] = {};
  for (int y = 0; y < inside.rows; ++y) {
    for (int x = 0; x < inside.cols; ++x) {
      if (!inside(y, x) && !outside(y, x)) continue;
      const int side = inside(y, x) ? 0 : 1;
      sums[side] += std::log(floor + static_cast<double>(cells(y * kSeamMapStep, x * kSeamMapStep)));
      counts[side] += 1;
    }
  }
  if (std::min(counts[0], counts[1]) < least_cells) return 0;
  return std::abs(sums[0] / counts[0] - sums[1] / counts[1]);
}

}  // namespace

SplicingClues splicing_clues(const BorderedRegion& region, const cv::Mat1f& seam_map,
                             const SeamSubject& subject) {
  constexpr int band = 9;  // places around the outline that belong to neither side
  cv::Mat1b border, near_border, around;
  cv::morphologyEx(region.mask, border, cv::MORPH_GRADIENT, cv::Mat::ones(3, 3, CV_8U));
  cv::dilate(border, near_border, cv::Mat::ones(band, band, CV_8U));
  cv::dilate(region.mask, around, cv::Mat::ones(41, 41, CV_8U));
  SplicingClues clues{};
  clues[kSeamMean] = region.mean_odds;
  clues[kSeamLow] = region.low_odds;
  clues[kSeamLength] = std::log(std::max(1.0, region.length));
  clues[kSeamInside] = region.inner_odds;
  clues[kSeamElsewhere] = odds_elsewhere(seam_map, near_border);
  const cv::Mat1b inside = cv::Mat(region.mask & ~near_border),
                  outside = cv::Mat(around & ~region.mask & ~near_border);
  clues[kNoiseContrast] = noise_contrast(inside, outside, subject.relative_noise);
  return clues;
}

double splicing_log_odds(const SplicingFusion& fusion, const SplicingClues& clues) {
  double odds = fusion.bias;
  for (std::size_t i = 0; i < clues.size(); ++i) odds += fusion.weights[i] * clues[i];
  return odds;
}

}  // namespace awry::inspectors::forensics
