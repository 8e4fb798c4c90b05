// SPDX-License-Identifier: Apache-2.0
// Written by perf/quality/tune/tune_splicing, which fitted it to tuning panels that the seam network has not
// seen: do not edit.
#include "awry/inspectors/forensics/splicing_evidence.h"

namespace awry::inspectors::forensics {

const SplicingFusion& tuned_splicing_fusion() {
  static constexpr SplicingFusion fusion{
      .weights =
          {
              6.6346,   // seam_mean
              -2.5229,  // seam_low
              1.1758,   // seam_length
              0.0267,   // seam_inside
              -2.3915,  // seam_elsewhere
              0.1880,   // noise_contrast
          },
      .bias = -8.2745,
  };
  return fusion;
}

}  // namespace awry::inspectors::forensics
