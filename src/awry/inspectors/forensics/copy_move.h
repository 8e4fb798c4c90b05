// SPDX-License-Identifier: Apache-2.0
// Does one place of an image repeat another, beyond what its texture repeats anyway?
//
//   all shifts (whole objects, also without keypoints)                  } candidate motions
//   keypoints matched within the image, plain and mirrored (any angle)  }
//   candidate -> does the grain of wide windows follow it at all (grain.h)
//             -> exact copy: dense correlation -> connected places, against other motions of the same image
//             -> otherwise: what compression, blur or scaling left of the grain (grain_check.h)
#pragma once

#include "awry/imaging/image.h"
#include "awry/inspectors/forensics/detection.h"

namespace awry::inspectors::forensics {

struct CopyMoveOptions {
  int max_pixels = 1'000'000;      // larger images are analysed in reduced size
  double max_false_alarms = 1e-3;  // expected per authentic image
  double min_area = 0.004;         // of the image: smaller repeats are specks
  int max_findings = 4;
};

// Finding::where is a Pair inside one image: source and target masks (which is which cannot be told), the
// motion between them, and its operations.
Detection find_copy_move(const imaging::Image& image, const CopyMoveOptions& options = {});

}  // namespace awry::inspectors::forensics
