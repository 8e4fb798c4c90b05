// SPDX-License-Identifier: Apache-2.0
// Grids of blocks laid over an image, as THEMIS asks about places: numbered row by row from 1.
#pragma once

#include "awry/base/result.h"
#include "awry/imaging/mask.h"
#include "awry/records/region.h"

namespace awry::imaging {

struct BlockGrid {
  int rows = 0, columns = 0;
  bool operator==(const BlockGrid&) const = default;
};

struct PixelRect {
  int x = 0, y = 0, width = 0, height = 0;
  bool operator==(const PixelRect&) const = default;
};

// Where sizes do not divide evenly, block edges are rounded down: every pixel belongs to exactly one
// block, and sizes differ by at most one. In an image narrower than the grid some blocks are empty.
Result<PixelRect> block_rect(const BlockGrid& grid, int block, int width, int height);

// A THEMIS block belongs to the truth from this share of its pixels on.
inline constexpr double kDefaultBlockShare = 0.02;

// The blocks with at least one marked pixel and at least `min_share` of their pixels marked.
Result<BlockSet> blocks_from_bitmap(const Bitmap& bitmap, const BlockGrid& grid,
                                    double min_share = kDefaultBlockShare);
Result<BlockSet> blocks_from_mask(const Mask& mask, const BlockGrid& grid,
                                  double min_share = kDefaultBlockShare);

// All pixels of the named blocks. Indices outside 1 to rows x columns are an error.
Result<Bitmap> bitmap_from_blocks(const BlockSet& blocks, int width, int height);
Result<void> check_blocks(const BlockSet& blocks);

}  // namespace awry::imaging
