// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/block_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace awry::imaging {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(BlockRect, NumbersRowByRowFromOne) {
  EXPECT_EQ(block_rect({2, 3}, 1, 30, 20).value(), (PixelRect{0, 0, 10, 10}));
  EXPECT_EQ(block_rect({2, 3}, 3, 30, 20).value(), (PixelRect{20, 0, 10, 10}));
  EXPECT_EQ(block_rect({2, 3}, 4, 30, 20).value(), (PixelRect{0, 10, 10, 10}));
}

TEST(BlockRect, RoundsEdgesDownWhereSizesDoNotDivide) {
  // 10 pixels in 3 columns: edges at 0, 3.33, 6.67, 10.
  EXPECT_EQ(block_rect({1, 3}, 1, 10, 4).value(), (PixelRect{0, 0, 3, 4}));
  EXPECT_EQ(block_rect({1, 3}, 2, 10, 4).value(), (PixelRect{3, 0, 3, 4}));
  EXPECT_EQ(block_rect({1, 3}, 3, 10, 4).value(), (PixelRect{6, 0, 4, 4}));
}

TEST(BlockRect, EveryPixelBelongsToExactlyOneBlock) {
  for (const auto& [rows, columns, width, height] :
       {std::array{4, 4, 17, 9}, std::array{3, 5, 5, 3}, std::array{8, 8, 5, 100}, std::array{1, 1, 7, 7}}) {
    Bitmap seen(width, height);
    for (int block = 1; block <= rows * columns; ++block) {
      const PixelRect rect = block_rect({rows, columns}, block, width, height).value();
      for (int y = rect.y; y < rect.y + rect.height; ++y) {
        for (int x = rect.x; x < rect.x + rect.width; ++x) ++seen.at(x, y);
      }
    }
    EXPECT_THAT(seen.bits, Each(1));
  }
}

TEST(BlockRect, RefusesBlocksOutsideTheGrid) {
  for (const int block : {0, -1, 7}) EXPECT_FALSE(block_rect({2, 3}, block, 30, 20)) << block;
  EXPECT_THAT(block_rect({2, 3}, 7, 30, 20).error().message(), HasSubstr("blocks 1 to 6"));
  EXPECT_FALSE(block_rect({0, 3}, 1, 30, 20));
  EXPECT_FALSE(block_rect({100'000, 100'000}, 1, 30, 20));
  EXPECT_FALSE(block_rect({2, 3}, 1, 0, 20));
}

TEST(BlocksFromBitmap, NeedsTwoPercentOfABlock) {
  // Blocks of 10 x 10: two marked pixels are 2%, one is 1%.
  Bitmap bitmap(20, 10);
  bitmap.at(3, 3) = 1;
  bitmap.at(12, 0) = bitmap.at(19, 9) = 1;
  EXPECT_THAT(blocks_from_bitmap(bitmap, {1, 2})->blocks, ElementsAre(2));
  EXPECT_THAT(blocks_from_bitmap(bitmap, {1, 2}, 0.01)->blocks, ElementsAre(1, 2));
  EXPECT_THAT(blocks_from_bitmap(bitmap, {1, 2}, 0.03)->blocks, IsEmpty());
  EXPECT_THAT(blocks_from_mask(mask_from_bitmap(bitmap), {1, 2})->blocks, ElementsAre(2));
}

TEST(BlocksFromBitmap, NeverCountsAnUnmarkedBlock) {
  EXPECT_THAT(blocks_from_bitmap(Bitmap(20, 10), {2, 2}, 0)->blocks, IsEmpty());
  EXPECT_THAT(blocks_from_bitmap(Bitmap(2, 2, 1), {4, 4}, 0)->blocks.size(),
              4U);  // the other 12 have no pixel
}

TEST(BitmapFromBlocks, FillsTheNamedBlocks) {
  const Bitmap bitmap = bitmap_from_blocks({.rows = 2, .columns = 2, .blocks = {1, 4}}, 4, 2).value();
  EXPECT_THAT(bitmap.bits, ElementsAre(1, 1, 0, 0, 0, 0, 1, 1));
  EXPECT_THAT(blocks_from_bitmap(bitmap, {2, 2})->blocks, ElementsAre(1, 4));
  EXPECT_FALSE(bitmap_from_blocks({.rows = 2, .columns = 2, .blocks = {5}}, 4, 2));
  EXPECT_FALSE(bitmap_from_blocks({.rows = 2, .columns = 2, .blocks = {0}}, 4, 2));
}

}  // namespace
}  // namespace awry::imaging
