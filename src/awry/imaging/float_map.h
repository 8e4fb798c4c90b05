// SPDX-License-Identifier: Apache-2.0
// Anomaly maps on disk: one number a pixel, kept exactly as stored.
#pragma once

#include <filesystem>

#include "awry/base/result.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/image.h"

namespace awry::imaging {

// TIFF with one sample a pixel of 8, 16 or 32-bit integers or 16, 32 or 64-bit floats (doubles are rounded to
// float), or any other image that decodes to a single grey channel. Integers keep their stored value, so
// an 8-bit map holds 0 to 255 and a 16-bit one 0 to 65,535; NaN and infinities pass through. A TIFF of
// several pages is refused: any of them could be the map.
Result<FloatMap> read_float_map(const std::filesystem::path& path, const DecodeLimits& limits = {});

// Uncompressed 32-bit float TIFF.
Result<void> write_float_tiff(const std::filesystem::path& path, const FloatMap& map);

// Grey picture of a map: the smallest finite value is 0, the largest 255; NaN is 0.
Image grey_from_map(const FloatMap& map);

}  // namespace awry::imaging
