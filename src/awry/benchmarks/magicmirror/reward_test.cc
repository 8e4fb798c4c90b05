// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/reward.h"

#include <gtest/gtest.h>

namespace awry::benchmarks::magicmirror {
namespace {

LabelSet labels(std::initializer_list<std::string_view> names) {
  LabelSet set;
  for (const std::string_view name : names) {
    if (const auto level3 = level3_named(name)) {
      set.add_level3(*level3);
    } else {
      set.add(level2_named(name).value());
    }
  }
  return set;
}

const LabelSet kNormal;
const LabelSet kHands = labels({"L3: Hand Structure Deformity"});
const LabelSet kHandsAndFace = labels({"L3: Hand Structure Deformity", "L3: Facial Structure Deformity"});
const LabelSet kObject = labels({"L2: Abnormal Object Morphology"});
const LabelSet kOverlap = labels({"L3: Abnormal Element Overlap"});

TEST(PaperReward, APerfectVerdictEarnsAllFifteen) {
  for (const LabelSet truth : {kNormal, kHands, kObject, kHands | kOverlap}) {
    EXPECT_DOUBLE_EQ(paper_reward(truth, truth).total(), 15) << verdict_json(truth);
  }
}

TEST(PaperReward, PartlyRightLabelsEarnPartOfIt) {
  // L2 exact: 1. L3: one right, one missed: 0.6 - 0.3.
  EXPECT_NEAR(paper_reward(kHandsAndFace, kHands).total(), 8 + 4 + 2 + 0.3, 1e-12);
  // L2: one right, one extra: 0.3; L3 the same.
  EXPECT_NEAR(paper_reward(kHands, kHands | kOverlap).total(), 8 + 4 + 2 * 0.3 + 0.3, 1e-12);
  // L2: one right, one extra: 0.3; L3: no L3 is extra, so exact.
  EXPECT_NEAR(paper_reward(kHands, kHands | kObject).total(), 8 + 4 + 2 * 0.3 + 1, 1e-12);
  // Two right of three at L3: 1.2 - 0.3, and L2 one right of two.
  EXPECT_NEAR(paper_reward(kHandsAndFace | kOverlap, kHandsAndFace).total(), 8 + 4 + 2 * 0.3 + 0.9, 1e-12);
}

TEST(PaperReward, NothingPredictedOrAllWrongEarnsOnlyTheFormat) {
  EXPECT_DOUBLE_EQ(paper_reward(kHands, kNormal).total(), 8);
  EXPECT_DOUBLE_EQ(paper_reward(kNormal, kHands).total(), 8);
  EXPECT_DOUBLE_EQ(paper_reward(kHands, kOverlap).total(), 12);  // L1 is right
}

TEST(PaperReward, FormatAndConsistencyDecideOverEverything) {
  EXPECT_DOUBLE_EQ(paper_reward(kHands, std::nullopt).total(), 0);
  EXPECT_DOUBLE_EQ(paper_reward(kHands, kHands, false).total(), 0);
}

TEST(ReleasedReward, NormalImagesEarnAtMostTwelve) {
  EXPECT_DOUBLE_EQ(released_reward(kNormal, kNormal).total(), 12);
  EXPECT_DOUBLE_EQ(released_reward(kHands, kHands).total(), 15);
  EXPECT_DOUBLE_EQ(released_reward(kHands, std::nullopt).total(), 0);
}

TEST(ReleasedReward, AWrongFirstLevelLeavesEight) {
  EXPECT_DOUBLE_EQ(released_reward(kNormal, kHands).total(), 8);
  EXPECT_DOUBLE_EQ(released_reward(kHands, kNormal).total(), 8);
}

TEST(ReleasedReward, ThirdLevelCountsOnlyUnderCommonSecondLevels) {
  // An L2 without L3 has no third level to earn.
  EXPECT_DOUBLE_EQ(released_reward(kObject, kObject).total(), 8 + 4 + 2);
  // The extra overlap is no extra L3, because its L2 is not common.
  EXPECT_NEAR(released_reward(kHands, kHands | kOverlap).total(), 8 + 4 + 2 * 0.3 + 1, 1e-12);
  EXPECT_NEAR(released_reward(kHandsAndFace, kHands).total(), 8 + 4 + 2 + 0.3, 1e-12);
  // No common L2: the second level is clamped to 0 and takes the third along.
  EXPECT_DOUBLE_EQ(released_reward(kHands, kOverlap).total(), 12);
}

}  // namespace
}  // namespace awry::benchmarks::magicmirror
