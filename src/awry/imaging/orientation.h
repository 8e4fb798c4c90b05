// SPDX-License-Identifier: Apache-2.0
// EXIF orientation: how a camera says that the stored rows are not the upright ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "awry/imaging/image.h"

namespace awry::imaging {

// From an EXIF block, with or without its "Exif\0\0" prefix. 1 (upright) when absent or damaged: a broken
// note about an image is no reason to refuse the image.
int exif_orientation(std::span<const std::uint8_t> exif);

inline bool swaps_sides(int orientation) {
  return orientation >= 5 && orientation <= 8;
}

Image upright(Image image, int orientation);
FloatMap upright(FloatMap map, int orientation);

}  // namespace awry::imaging
