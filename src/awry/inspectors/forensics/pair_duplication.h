// SPDX-License-Identifier: Apache-2.0
// Do two panels share content, where, and what was done to it in between?
//
//   keypoints (and their mirror image) -> motions many matches agree on   } candidate motions
//   all shifts of the eight flips and quarter turns, for panels without   }
//   candidate -> refined on pixels -> dense correlation -> false alarms
//   best candidate -> colour model on the overlap -> operations
#pragma once

#include "awry/imaging/image.h"
#include "awry/inspectors/forensics/detection.h"

namespace awry::inspectors::forensics {

struct PairDuplicationOptions {
  int max_pixels = 2'000'000;      // larger panels are analysed in reduced size
  double max_false_alarms = 1e-3;  // expected per pair of unrelated panels
  double min_overlap = 0.03;       // share of the smaller panel: less is a scale bar or a label
};

// Finding::where is a Pair: masks of the shared content in both panels, the recovered transform, and the
// operations "direct", or any of "scaling", "rotation", "horizontal_flip", "vertical_flip", and the colour
// changes "brightness", "contrast", "saturation", "hue", "colour_temperature".
Detection find_pair_duplication(const imaging::Image& first, const imaging::Image& second,
                                const PairDuplicationOptions& options = {});

}  // namespace awry::inspectors::forensics
