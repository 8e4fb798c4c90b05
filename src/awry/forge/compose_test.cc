// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/compose.h"

#include <gtest/gtest.h>

namespace awry::forge {
namespace {

TEST(Paste, FollowsTheFeatheringRuleAndLeavesTheRestAlone) {
  // A row of seven; the mask covers 1 to 5, so depths are 1 2 3 2 1 (the rows above and below are masked
  // too).
  const imaging::Image host(7, 9, 1, 100), object(7, 9, 1, 200);
  imaging::Bitmap mask(7, 9);
  for (int y = 0; y < 9; ++y) {
    for (int x = 1; x <= 5; ++x) mask.at(x, y) = 1;
  }
  const imaging::Image result = paste(host, object, mask, 3);
  const std::uint8_t expected[] = {100, 125, 150, 175, 150, 125, 100};
  for (int x = 0; x < 7; ++x) EXPECT_EQ(*result.at(x, 4), expected[x]) << x;
}

TEST(Paste, CopiesExactlyWithoutFeather) {
  const imaging::Image host(4, 4, 3, 10), object(4, 4, 3, 250);
  imaging::Bitmap mask(4, 4);
  mask.at(2, 1) = 1;
  const imaging::Image result = paste(host, object, mask, 0);
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) EXPECT_EQ(*result.at(x, y), mask.at(x, y) ? 250 : 10);
  }
}

TEST(Shifted, MovesAndFillsWithZero) {
  imaging::Bitmap bitmap(3, 2);
  bitmap.at(0, 0) = 1;
  imaging::Bitmap expected(3, 2);
  expected.at(2, 1) = 1;
  EXPECT_EQ(shifted(bitmap, 2, 1), expected);
  EXPECT_EQ(area(shifted(bitmap, -1, 0)), 0);
  EXPECT_EQ(area(shifted(bitmap, 5, 5)), 0);
}

TEST(Areas, CountUnionsAndCommonParts) {
  imaging::Bitmap a(4, 1), b(4, 1);
  a.bits = {1, 1, 0, 0};
  b.bits = {0, 1, 1, 0};
  EXPECT_EQ(area(united(a, b)), 3);
  EXPECT_EQ(common_area(a, b), 1);
  EXPECT_TRUE(touches(a, {.x = 1.5, .y = 0, .width = 3, .height = 1}));
  EXPECT_FALSE(touches(a, {.x = 2, .y = 0, .width = 9, .height = 9}));
  EXPECT_FALSE(touches(a, {.x = -5, .y = -5, .width = 2, .height = 2}));
}

TEST(ChangedPixels, AreThoseOfWhichAnyChannelDiffers) {
  imaging::Image before(3, 1, 3, 10), after = before;
  after.at(1, 0)[2] = 11;
  const imaging::Bitmap changed = changed_pixels(before, after);
  EXPECT_EQ(changed.bits, (std::vector<std::uint8_t>{0, 1, 0}));
}

TEST(MeanChange, AveragesOverTheMaskOnly) {
  imaging::Image before(2, 1, 3, 10), after = before;
  after.at(0, 0)[0] = 40;  // 30 / 3 channels
  after.at(1, 0)[2] = 255;
  imaging::Bitmap left(2, 1);
  left.at(0, 0) = 1;
  EXPECT_DOUBLE_EQ(mean_change(before, after, left), 10);
  EXPECT_DOUBLE_EQ(mean_change(before, after, imaging::Bitmap(2, 1)), 0);
}

}  // namespace
}  // namespace awry::forge
