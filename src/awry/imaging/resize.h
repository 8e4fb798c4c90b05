// SPDX-License-Identifier: Apache-2.0
// The ways in which papers shrink images before a model sees them.
//
// Each gives the image and the mapping from original coordinates, so that a box drawn on one can be
// carried to the other. Coordinates are continuous: pixel (0,0) covers the square from (0,0) to (1,1).
// Pixels are averaged over their area when shrinking and interpolated cubically when enlarging.
#pragma once

#include <cstdint>

#include "awry/imaging/image.h"
#include "awry/records/region.h"

namespace awry::imaging {

struct Resized {
  Image image;
  Transform image_from_original = {1, 0, 0, 0, 1, 0, 0, 0, 1};
};

enum class PadColour { kBlack, kGrey, kWhite };  // kGrey is 128
enum class Enlarge { kNo, kYes };

// All sides and sizes must be positive; images must not be empty; no side ever falls below 1.
Resized resize_direct(const Image& image, int width, int height);  // the aspect ratio may change
Resized resize_pad_to_square(const Image& image, int side, PadColour pad = PadColour::kBlack);  // centred
Resized resize_long_edge(const Image& image, int long_edge, Enlarge enlarge = Enlarge::kNo);
Resized resize_short_side(const Image& image, int short_side, Enlarge enlarge = Enlarge::kYes);
Resized resize_pixel_budget(const Image& image, std::int64_t max_pixels);  // never enlarges

// THEMIS sends images in two stages: first the long edge is brought within its limit, then both sides are
// reduced by 10% again and again until the pixels fit. Only the final size is resampled.
struct TwoStageLimits {
  int max_long_edge = 2048;
  std::int64_t max_pixels = 2048 * 2048;
  double step = 0.9;
};
Resized resize_two_stage(const Image& image, const TwoStageLimits& limits);

// The smallest upright box around the corners of `box` after the mapping.
Box map_box(const Box& box, const Transform& to_from_box);
Transform invert(const Transform& affine);  // the last row must be 0 0 1 and the scale not 0

}  // namespace awry::imaging
