// SPDX-License-Identifier: Apache-2.0
// Was a region of an image pasted in from another recording?
//
//   profiles across every possible line -> map of seams (seam_map.h)
//   -> regions a seam surrounds (splicing_regions.h) -> clues, weighed together (splicing_evidence.h)
//
// Weak: on tuning panels it finds one splice in five, and it is not part of the inspector (forensics.h). A
// seam that blur, strong JPEG or reduction has wiped out is not found at all.
#pragma once

#include "awry/imaging/image.h"
#include "awry/inspectors/forensics/detection.h"

namespace awry::inspectors::forensics {

struct SplicingOptions {
  int max_pixels = 600'000;  // larger images are analysed in reduced size, where seams are weaker
  // Log odds from which a region is reported, and from which it is called undecided. No authentic panel of
  // the tuning set (95 of them) reaches the first.
  double certain_odds = 3.1, doubtful_odds = 2.5;
};

// At most one finding, whose `where` is a Mask.
Detection find_splicing(const imaging::Image& image, const SplicingOptions& options = {});

// How suspicious each pixel is, for measurements: the probability of the regions found, 0 elsewhere.
imaging::FloatMap splicing_map(const imaging::Image& image, const SplicingOptions& options = {});

}  // namespace awry::inspectors::forensics
