// SPDX-License-Identifier: Apache-2.0
#include "awry/score/overlap.h"

#include <gtest/gtest.h>

#include <vector>

namespace awry::score {
namespace {

double blocks(std::vector<int> a, std::vector<int> b) {
  return block_iou(a, b);
}

TEST(BlockIou, SharedBlocksOverAllBlocks) {
  EXPECT_DOUBLE_EQ(blocks({2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}), 5.0 / 6);
  EXPECT_DOUBLE_EQ(blocks({1, 4}, {2, 4, 6}), 1.0 / 4);
}

TEST(BlockIou, OrderAndRepeatsDoNotMatter) {
  EXPECT_DOUBLE_EQ(blocks({5, 1, 1, 2}, {1, 2, 5}), 1.0);
}

TEST(BlockIou, EmptySetsAgreeWithEachOtherOnly) {
  EXPECT_DOUBLE_EQ(blocks({}, {}), 1.0);
  EXPECT_DOUBLE_EQ(blocks({}, {1}), 0.0);
  EXPECT_DOUBLE_EQ(blocks({1}, {}), 0.0);
}

TEST(MaskIou, CountsPixelsOfRunLengths) {
  // Columns of a 4x4 image: the first marks columns 0 and 1, the second columns 1 and 2.
  const Mask first{4, 4, {0, 8, 8}}, second{4, 4, {4, 8, 4}};
  EXPECT_DOUBLE_EQ(mask_iou(first, second).value(), 4.0 / 12);
  EXPECT_DOUBLE_EQ(mask_iou(first, first).value(), 1.0);
}

TEST(MaskIou, RefusesMasksOfDifferentSizes) {
  EXPECT_FALSE(mask_iou(Mask{4, 4, {16}}, Mask{4, 5, {20}}).has_value());
}

TEST(MaskIou, RefusesRunsThatDoNotCoverTheImage) {
  EXPECT_FALSE(mask_iou(Mask{4, 4, {3, 4}}, Mask{4, 4, {16}}).has_value());
}

TEST(BoxIou, MatchesAHandWorkedOverlap) {
  EXPECT_DOUBLE_EQ(box_iou({0, 0, 10, 10}, {5, 5, 10, 10}), 25.0 / 175);
  EXPECT_DOUBLE_EQ(box_iou({0, 0, 10, 10}, {10, 0, 10, 10}), 0.0);  // they only touch
  EXPECT_DOUBLE_EQ(box_iou({0, 0, 10, 10}, {40, 40, 1, 1}), 0.0);
}

TEST(CoverageRatio, ComparesAreasWhereverTheBoxesLie) {
  EXPECT_DOUBLE_EQ(coverage_ratio({0, 0, 5, 10}, {20, 20, 10, 10}).value(), 0.5);
  EXPECT_DOUBLE_EQ(coverage_ratio({0, 0, 20, 10}, {0, 0, 10, 10}).value(), 2.0);
  EXPECT_FALSE(coverage_ratio({0, 0, 5, 5}, {0, 0, 0, 10}).has_value());
}

}  // namespace
}  // namespace awry::score
