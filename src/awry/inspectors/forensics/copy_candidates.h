// SPDX-License-Identifier: Apache-2.0
// Motions under which an image may repeat itself, worth a closer look.
#pragma once

#include <vector>

#include "awry/inspectors/forensics/copy_subject.h"

namespace awry::inspectors::forensics {

struct CopyCandidate {
  Motion motion = Motion::eye();
  int keypoint_matches = 0;
  double log10_keypoint_alarms = 0;  // 0: not found by keypoints
  double shift_deviations = 0;
};

enum class ShiftDetail {
  kFine,    // as fine as compression and halving leave
  kCoarse,  // what is left where they left no grain
};

// All whole-pixel shifts: finds objects pasted as they are, also without keypoints.
std::vector<CopyCandidate> copies_by_shift(const CopySubject& subject,
                                           ShiftDetail detail = ShiftDetail::kFine);

// Keypoints matched within the image, plain and mirrored: any angle and scale.
std::vector<CopyCandidate> copies_by_keypoints(const CopySubject& subject);

}  // namespace awry::inspectors::forensics
