// SPDX-License-Identifier: Apache-2.0
// The filters a forgery must pass to be worth asking about, and the count of those that did not.
#pragma once

#include <map>
#include <string>

#include "awry/imaging/image.h"
#include "awry/imaging/mask.h"

namespace awry::forge {

// How often each filter turned something away: {"visible_seam": 3}.
using RejectionTally = std::map<std::string, int>;

struct QualityLimits {
  double max_seam = 1e9;         // see seam_visibility; the default lets everything pass
  double max_blank_share = 1.1;  // of the forged pixels that lay on blank ground
  double max_breaks = 1e9;       // see seam_breaks; for drawings, whose seams are all ink or none
};
// What a set made to be asked about uses.
inline constexpr QualityLimits kStrictQuality{.max_seam = 3.0, .max_blank_share = 0.6, .max_breaks = 0.012};

// How much stronger the steps across the edge of the mask are than steps beside it: about 1 for a seam that
// does not show. 0 when the mask has no edge.
double seam_visibility(const imaging::Image& image, const imaging::Bitmap& mask);

// How much ink ends or begins at the edge of the mask: the length of edge at which `host`, which the image
// was before, showed something else than it shows now, over the longer side of the image.
double seam_breaks(const imaging::Image& host, const imaging::Image& image, const imaging::Bitmap& mask);

// The share of the mask's pixels around which nothing happens at all: the margin of a figure, not the dark
// ground of a micrograph, which has its noise.
double blank_share(const imaging::Image& image, const imaging::Bitmap& mask);

// The mean step between neighbouring pixels, in grey levels: near 0 for what is blurred or blank.
double sharpness(const imaging::Image& image);

}  // namespace awry::forge
