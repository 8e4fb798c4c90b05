// SPDX-License-Identifier: Apache-2.0
// Does one region of an image carry other noise than the rest, as if it came from another recording?
//
//   noise level per block, away from edges -> what this brightness usually shows in this image
//   blocks far off -> connected regions -> false alarms against blocks that deviate anywhere
//
// Modest by nature: a splice between panels of equal noise leaves no such trace and is not reported.
#pragma once

#include "awry/imaging/image.h"
#include "awry/inspectors/forensics/detection.h"

namespace awry::inspectors::forensics {

struct SplicingOptions {
  int max_pixels = 1'000'000;      // larger images are analysed in reduced size, where noise is weaker
  double max_false_alarms = 1e-3;  // expected per authentic image
  double min_area = 0.03, max_area = 0.6;  // of the image
};

// Finding::where is a Mask.
Detection find_splicing(const imaging::Image& image, const SplicingOptions& options = {});

}  // namespace awry::inspectors::forensics
