// SPDX-License-Identifier: Apache-2.0
// Was a region of an image pasted in from another recording?
//
//   profiles across every possible line -> map of seams (seam_map.h)
//   -> regions a seam surrounds (splicing_regions.h) -> clues, weighed together (splicing_evidence.h)
//
// Weak: at the default operating point it finds about one splice in five of real recordings, and hardly any
// painted one, but where it speaks the outline is right. A seam that blur, strong JPEG or reduction has wiped
// out is not found at all, nor is one in a drawing, which has no noise to be disturbed.
#pragma once

#include "awry/imaging/image.h"
#include "awry/inspectors/forensics/detection.h"

namespace awry::inspectors::forensics {

struct SplicingOptions {
  int max_pixels = 600'000;  // larger images are analysed in reduced size, where seams are weaker
  // Log odds from which a region is reported, and from which it is called undecided. No authentic panel of
  // the tuning sets (45 real and 80 painted ones) reaches the first.
  double certain_odds = 4.0, doubtful_odds = 3.5;
};

// At most one finding, whose `where` is a Mask.
Detection find_splicing(const imaging::Image& image, const SplicingOptions& options = {});

// How suspicious each pixel is, for measurements: the probability of the regions found, 0 elsewhere.
imaging::FloatMap splicing_map(const imaging::Image& image, const SplicingOptions& options = {});

}  // namespace awry::inspectors::forensics
