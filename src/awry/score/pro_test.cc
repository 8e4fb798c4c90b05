// SPDX-License-Identifier: Apache-2.0
#include "awry/score/pro.h"

#include <gtest/gtest.h>

namespace awry::score {
namespace {

TEST(CoveredWidth, RunsFromThePixelToTheLimit) {
  EXPECT_DOUBLE_EQ(covered_width({.above = 0, .equal = 0}, 10, 0.3), 0.3);
  EXPECT_DOUBLE_EQ(covered_width({.above = 2, .equal = 0}, 10, 0.3), 0.3 - 0.2);
  EXPECT_DOUBLE_EQ(covered_width({.above = 3, .equal = 0}, 10, 0.3), 0);
  EXPECT_DOUBLE_EQ(covered_width({.above = 9, .equal = 1}, 10, 0.3), 0);
}

TEST(CoveredWidth, StartsHalfWayThroughATie) {
  EXPECT_DOUBLE_EQ(covered_width({.above = 0, .equal = 2}, 10, 0.3), 0.3 - 0.1);
  EXPECT_DOUBLE_EQ(covered_width({.above = 0, .equal = 10}, 10, 1), 0.5);
}

TEST(CoveredWidth, KeepsTheTriangleWhenTheLimitCutsATie) {
  // The slope rises from FPR 0.1 to 0.5; at 0.3 half of it is climbed: 0.2 * 0.5 / 2.
  EXPECT_DOUBLE_EQ(covered_width({.above = 1, .equal = 4}, 10, 0.3), 0.05);
}

}  // namespace
}  // namespace awry::score
