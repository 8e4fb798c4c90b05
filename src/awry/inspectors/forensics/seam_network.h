// SPDX-License-Identifier: Apache-2.0
// How much a profile looks like that of a seam: a network of one hidden layer.
#pragma once

#include <array>
#include <span>

#include "awry/inspectors/forensics/seam_profiles.h"

namespace awry::inspectors::forensics {

inline constexpr int kSeamUnits = 20;

struct SeamNetwork {
  std::array<SeamFeatures, kSeamUnits> weights{};  // of the hidden units, which pass what is above 0
  std::array<float, kSeamUnits> biases{}, output_weights{};
  float output_bias = 0;
};

// Log odds of a seam against none; the prior is that of the tuning set, so only differences mean something.
float seam_log_odds(const SeamNetwork& network, const SeamFeatures& features);

// The network that comes with awry, tuned by perf/quality/tune (seam_weights.cc).
const SeamNetwork& tuned_seam_network();

}  // namespace awry::inspectors::forensics
