// SPDX-License-Identifier: Apache-2.0
// What happens to figures on their way through the world: blur, JPEG, scaling. THEMIS measures how much of
// a model's answer survives them.
#pragma once

#include "awry/base/result.h"
#include "awry/imaging/image.h"

namespace awry::imaging {

// Standard deviation in pixels; 0 gives the image back. Borders are mirrored.
Image gaussian_blurred(const Image& image, double sigma);

// Encoded at this quality (1 to 100) and decoded again; grey stays grey, alpha is composed over white.
Result<Image> jpeg_round_trip(const Image& image, int quality);

enum class ScaledSize {
  kRestored,  // scaled and brought back: detail is lost, coordinates and truth masks stay valid
  kKept,      // left at the new size
};
// Both sides multiplied by `factor` (> 0), at least 1 pixel each.
Image scaled(const Image& image, double factor, ScaledSize size = ScaledSize::kRestored);

}  // namespace awry::imaging
