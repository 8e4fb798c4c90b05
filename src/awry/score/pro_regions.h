// SPDX-License-Identifier: Apache-2.0
// The connected defects of one mask, as the per-region overlap (PRO) counts them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace awry::score {

// A horizontal stretch of marked pixels: [begin, end) are indices into the row-major mask.
struct RegionRun {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t region = 0;
};

struct Regions {
  std::vector<RegionRun> runs;       // in reading order
  std::vector<std::uint32_t> sizes;  // pixels of each region; regions are numbered in reading order
};

// Regions of mask != 0 under 8-connectivity: pixels that touch at a corner belong together.
// mask.size() must be width * height and fit 32 bits.
Regions find_regions(std::span<const std::uint8_t> mask, int width, int height);

}  // namespace awry::score
