// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/block_grid.h"

#include <fmt/format.h>

#include <algorithm>

namespace awry::imaging {
namespace {

// More blocks than this is a mistake, not a question anybody asks.
constexpr std::int64_t kMaxBlocks = 1'000'000;

Result<void> check_grid(int rows, int columns) {
  if (rows < 1 || columns < 1 || static_cast<std::int64_t>(rows) * columns > kMaxBlocks) {
    return fail(
        {.what = "cannot lay a grid of blocks", .why = fmt::format("{} rows x {} columns", rows, columns)});
  }
  return {};
}

// Where block `index` of `count` begins along a side.
int edge(int index, int count, int side) {
  return static_cast<int>(static_cast<std::int64_t>(index) * side / count);
}

PixelRect rect_of(const BlockGrid& grid, int block, int width, int height) {
  const int row = (block - 1) / grid.columns, column = (block - 1) % grid.columns;
  const int x = edge(column, grid.columns, width), y = edge(row, grid.rows, height);
  return {x, y, edge(column + 1, grid.columns, width) - x, edge(row + 1, grid.rows, height) - y};
}

Result<void> check_size(int width, int height) {
  if (width < 1 || height < 1) {
    return fail({.what = "cannot lay a grid of blocks",
                 .why = fmt::format("the image has {} x {} pixels", width, height)});
  }
  return {};
}

Result<void> check_block(const BlockGrid& grid, int block) {
  if (block < 1 || block > grid.rows * grid.columns) {
    return fail({.what = "cannot find block",
                 .input = std::to_string(block),
                 .why = fmt::format("the grid of {} x {} has blocks 1 to {}", grid.rows, grid.columns,
                                    grid.rows * grid.columns)});
  }
  return {};
}

}  // namespace

Result<PixelRect> block_rect(const BlockGrid& grid, int block, int width, int height) {
  AWRY_TRY(check_grid(grid.rows, grid.columns));
  AWRY_TRY(check_size(width, height));
  AWRY_TRY(check_block(grid, block));
  return rect_of(grid, block, width, height);
}

Result<BlockSet> blocks_from_bitmap(const Bitmap& bitmap, const BlockGrid& grid, double min_share) {
  AWRY_TRY(check_grid(grid.rows, grid.columns));
  AWRY_TRY(check_size(bitmap.width, bitmap.height));
  BlockSet set{.rows = grid.rows, .columns = grid.columns};
  for (int block = 1; block <= grid.rows * grid.columns; ++block) {
    const PixelRect rect = rect_of(grid, block, bitmap.width, bitmap.height);
    std::int64_t marked = 0;
    for (int y = rect.y; y < rect.y + rect.height; ++y) {
      const auto row = bitmap.bits.begin() + static_cast<std::ptrdiff_t>(y) * bitmap.width;
      marked += rect.width - std::count(row + rect.x, row + rect.x + rect.width, 0);
    }
    const double pixels = static_cast<double>(rect.width) * rect.height;
    // The small allowance keeps a share like 0.07, which no double holds, from losing an exact hit.
    if (marked > 0 && static_cast<double>(marked) >= min_share * pixels - 1e-9 * pixels)
      set.blocks.push_back(block);
  }
  return set;
}

Result<BlockSet> blocks_from_mask(const Mask& mask, const BlockGrid& grid, double min_share) {
  AWRY_TRY_ASSIGN(const Bitmap bitmap, bitmap_from_mask(mask));
  return blocks_from_bitmap(bitmap, grid, min_share);
}

Result<void> check_blocks(const BlockSet& blocks) {
  AWRY_TRY(check_grid(blocks.rows, blocks.columns));
  for (const int block : blocks.blocks) AWRY_TRY(check_block({blocks.rows, blocks.columns}, block));
  return {};
}

Result<Bitmap> bitmap_from_blocks(const BlockSet& blocks, int width, int height) {
  AWRY_TRY(check_blocks(blocks));
  AWRY_TRY(check_size(width, height));
  Bitmap bitmap(width, height);
  for (const int block : blocks.blocks) {
    const PixelRect rect = rect_of({blocks.rows, blocks.columns}, block, width, height);
    for (int y = rect.y; y < rect.y + rect.height; ++y) {
      std::fill_n(&bitmap.bits[static_cast<std::size_t>(y) * width + rect.x], rect.width, std::uint8_t{1});
    }
  }
  return bitmap;
}

}  // namespace awry::imaging
