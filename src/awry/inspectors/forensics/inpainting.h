// SPDX-License-Identifier: Apache-2.0
// Was a place of a recording smoothed over? Retouching brushes, and programs that fill in what was removed,
// leave less noise than the recording has at the same brightness elsewhere.
//
// Reported as what it is, "smoothing": who or what smoothed, this cannot tell. Resynthesis, which fills a
// place with texture of its surroundings, is copying and found as such (copy_move.h).
#pragma once

#include "awry/imaging/image.h"
#include "awry/inspectors/forensics/detection.h"

namespace awry::inspectors::forensics {

struct SmoothingOptions {
  int max_pixels = 1'000'000;      // larger images are analysed in reduced size, where noise is weaker
  double max_false_alarms = 1e-3;  // expected per authentic image
  double min_area = 0.005, max_area = 0.3;  // of the image
};

// At most one finding, whose `where` is a Mask.
Detection find_smoothing(const imaging::Image& image, const SmoothingOptions& options = {});

// How much noise is missing around each pixel, for measurements: natural logarithm of expected over found.
imaging::FloatMap missing_noise_map(const imaging::Image& image, const SmoothingOptions& options = {});

}  // namespace awry::inspectors::forensics
