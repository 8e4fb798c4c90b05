// SPDX-License-Identifier: Apache-2.0
// Is a candidate motion a copy, and of what?
#pragma once

#include "awry/inspectors/forensics/copy_candidates.h"
#include "awry/inspectors/forensics/noise_agreement.h"

namespace awry::inspectors::forensics {

struct Repeat {
  CopyCandidate candidate;
  cv::Mat source, target;  // CV_8U; empty when nothing repeats
  double correlation = 0;  // mean inside the source
  double windows = 0;      // independent ones that agree
  double chance = 0;       // agreement at motions nearby
  NoiseAgreement noise;
  double rival = 0;  // how well the content is found at the best third place; 0 when not looked for
  double log10_alarms = 0;
};

// `min_area` in pixels: smaller repeats are specks.
Repeat check_copy(const CopySubject& subject, const CopyCandidate& candidate, double min_area);

}  // namespace awry::inspectors::forensics
