// SPDX-License-Identifier: Apache-2.0
// Motions under which an image may repeat itself, worth a closer look.
#pragma once

#include <vector>

#include "awry/inspectors/forensics/copy_subject.h"

namespace awry::inspectors::forensics {

struct CopyCandidate {
  Motion motion = Motion::eye();
  int keypoint_matches = 0;
  double shift_deviations = 0;
};

enum class Detail {
  kNoise,    // the finest, which proves a copy
  kContent,  // what compression and blur leave
};

// All whole-pixel shifts, plain and flipped: finds whole objects, also without keypoints.
std::vector<CopyCandidate> copies_by_shift(const CopySubject& subject, Detail detail = Detail::kNoise);

// Keypoints matched within the image, plain and mirrored: any angle and scale.
std::vector<CopyCandidate> copies_by_keypoints(const CopySubject& subject);

}  // namespace awry::inspectors::forensics
