// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/seam_network.h"

#include <algorithm>
#include <cstddef>

namespace awry::inspectors::forensics {

float seam_log_odds(const SeamNetwork& network, const SeamFeatures& features) {
  float result = network.output_bias;
  for (std::size_t unit = 0; unit < kSeamUnits; ++unit) {
    float sum = network.biases[unit];
    for (std::size_t i = 0; i < features.size(); ++i) sum += network.weights[unit][i] * features[i];
    result += network.output_weights[unit] * std::max(0.f, sum);
  }
  return result;
}

}  // namespace awry::inspectors::forensics
