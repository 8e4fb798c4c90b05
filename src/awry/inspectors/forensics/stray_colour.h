// SPDX-License-Identifier: Apache-2.0
// Does one place of a colourless image carry colour? Blots, X-rays and most micrographs are recorded in grey,
// and stay exactly grey in a file that could hold colours. Programs that fill in, paint or paste work in
// colour and leave traces of it that no eye sees: a level or two between red, green and blue.
//
// Reported as what it is, "stray_colour": what was done there, this cannot tell. Where colour shows (drawn
// arrows, overlays, stains), it was meant to be seen, and nothing is said of that place or of that image.
#pragma once

#include "awry/imaging/image.h"
#include "awry/inspectors/forensics/detection.h"

namespace awry::inspectors::forensics {

struct StrayColourOptions {
  int max_pixels = 4'000'000;      // larger images are analysed in reduced size
  double max_false_alarms = 1e-3;  // expected per authentic image
  double max_area = 0.6;           // of the image: beyond, it is rather the rest that is without colour
};

// One finding a place, most certain first; `where` is a Mask.
Detection find_stray_colour(const imaging::Image& image, const StrayColourOptions& options = {});

// How much colour there is around each pixel, for measurements: mean difference of the channels from green,
// in levels.
imaging::FloatMap colour_map(const imaging::Image& image);

}  // namespace awry::inspectors::forensics
