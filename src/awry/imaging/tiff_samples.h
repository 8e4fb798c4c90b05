// SPDX-License-Identifier: Apache-2.0
// The sample types of TIFF, each turned into what the caller needs. Internal to imaging.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "awry/imaging/codec.h"
#include "awry/imaging/tiff_reader.h"

namespace awry::imaging {

// One byte a sample, without the bits that pad rows. Palette indices stay as they are; samples of white-is-
// zero images are inverted, so that more is brighter.
std::vector<std::uint8_t> samples_as_bytes(std::vector<std::uint8_t> raw, const TiffLayout& layout,
                                           Narrowing narrowing);

// Single-sample images of 8 bits and more, values as stored.
std::vector<float> samples_as_floats(std::span<const std::uint8_t> raw, const TiffLayout& layout);

// The scale that decode.h describes: smallest finite value 0, largest 255.
std::vector<std::uint8_t> bytes_by_range(std::span<const float> values);

}  // namespace awry::imaging
