// SPDX-License-Identifier: Apache-2.0
// What speaks for a region having been pasted, and how much all of it together weighs.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "awry/inspectors/forensics/seam_profiles.h"
#include "awry/inspectors/forensics/splicing_regions.h"

namespace awry::inspectors::forensics {

enum SplicingClue {
  kSeamMean,
  kSeamLow,
  kSeamLength,
  kSeamInside,
  kSeamElsewhere,
  kNoiseContrast,
  kSplicingClues
};
using SplicingClues = std::array<double, kSplicingClues>;

struct SplicingClueName {
  std::string_view name, meaning;
};
inline constexpr std::array<SplicingClueName, kSplicingClues> kSplicingClueNames = {{
    {"seam_mean", "log odds of a seam along the outline"},
    {"seam_low", "log odds of a seam that a tenth of the outline stays below"},
    {"seam_length", "logarithm of the outline's length"},
    {"seam_inside", "log odds along the strongest border within the region"},
    {"seam_elsewhere", "log odds that a twentieth of the places away from the outline exceed"},
    {"noise_contrast", "logarithm of the ratio of noise inside to noise around, at equal brightness"},
}};

SplicingClues splicing_clues(const BorderedRegion& region, const cv::Mat1f& seam_map,
                             const SeamSubject& subject);

// Logistic fusion: the probability that a panel's most suspicious region was pasted.
struct SplicingFusion {
  SplicingClues weights{};
  double bias = 0;
};
double splicing_log_odds(const SplicingFusion& fusion, const SplicingClues& clues);

// The fusion that comes with awry (splicing_weights.cc).
const SplicingFusion& tuned_splicing_fusion();

}  // namespace awry::inspectors::forensics
