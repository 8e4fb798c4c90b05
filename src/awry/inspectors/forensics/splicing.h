// SPDX-License-Identifier: Apache-2.0
// Was a region of an image pasted in from another recording?
//
//   traces of recording, scaling and compression in every cell (trace_cells.h)
//   -> odds that a cell was pasted in, and that anything was (trace_network.h)
//   -> the region those cells form
//
// What both pictures share cannot give a splice away: of two recordings of one series only the seam is left,
// and that is lost with blur, strong JPEG or reduction. Drawings are not searched: they have no recording to
// betray.
#pragma once

#include "awry/imaging/image.h"
#include "awry/inspectors/forensics/detection.h"

namespace awry::inspectors::forensics {

struct SplicingOptions {
  int max_pixels = 600'000;  // larger images are analysed in reduced size, where traces are weaker
  // Expected number of such findings in an authentic image up to which one is reported, and called undecided.
  // Tails further out than one in a hundred were not measured, so the first is no lower.
  double max_false_alarms = 1e-2, doubtful_false_alarms = 5e-2;
};

// At most one finding, whose `where` is a Mask.
Detection find_splicing(const imaging::Image& image, const SplicingOptions& options = {});

// How suspicious each pixel is, for measurements: the probability that it was pasted in.
imaging::FloatMap splicing_map(const imaging::Image& image, const SplicingOptions& options = {});

}  // namespace awry::inspectors::forensics
