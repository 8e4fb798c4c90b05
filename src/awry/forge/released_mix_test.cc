// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/released_mix.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "awry/forge/apportion.h"

namespace awry::forge {
namespace {

TEST(Apportion, AddsUpAndGivesTheRestToTheLargestRemainders) {
  EXPECT_EQ(apportion(10, std::array{1.0, 1.0, 1.0}), (std::vector{4, 3, 3}));
  EXPECT_EQ(apportion(7, std::array{5.0, 0.0, 2.0}), (std::vector{5, 0, 2}));
  EXPECT_EQ(apportion(3, std::array{0.0, 0.0}), (std::vector{3, 0}));
  EXPECT_EQ(apportion(0, std::array{1.0, 2.0}), (std::vector{0, 0}));
}

struct Rows {
  int direct = 0, scaled = 0;
  std::map<Turn, int> turns;
  std::map<Adjustment, int> retouches;
};

Rows rows_of(const std::vector<DuplicationPlan>& plans) {
  Rows rows;
  for (const DuplicationPlan& plan : plans) {
    for (const Turn turn : {plan.turn, plan.second_turn}) rows.turns[turn] += turn != Turn::kNone;
    for (const Retouch& retouch : plan.retouches) ++rows.retouches[retouch.adjustment];
    rows.scaled += plan.scale != 1;
    rows.direct += plan.turn == Turn::kNone && plan.retouches.empty() && plan.scale == 1;
    EXPECT_LE(plan.retouches.size(), 2);
    if (plan.retouches.size() == 2) {
      EXPECT_NE(plan.retouches[0].adjustment, plan.retouches[1].adjustment);
    }
  }
  return rows;
}

// Table 6 of the paper, row by row.
TEST(ReleasedGlobalPlans, ReproduceThePapersOperationCounts) {
  const Rows rows = rows_of(released_global_plans(917, RandomStream(3)));
  EXPECT_EQ(rows.direct, 104);
  EXPECT_EQ(rows.turns.at(Turn::kHalfTurn), 283);
  EXPECT_EQ(rows.turns.at(Turn::kVerticalFlip), 315);
  EXPECT_EQ(rows.turns.at(Turn::kHorizontalFlip), 289);
  EXPECT_EQ(rows.retouches.at(Adjustment::kBrightness), 184);
  EXPECT_EQ(rows.retouches.at(Adjustment::kContrast), 185);
  EXPECT_EQ(rows.retouches.at(Adjustment::kSaturation), 203);
  EXPECT_EQ(rows.retouches.at(Adjustment::kHue), 190);
  EXPECT_EQ(rows.retouches.at(Adjustment::kColourTemperature), 171);
  EXPECT_EQ(rows.scaled, 0);
}

TEST(ReleasedLocalPlans, ReproduceThePapersOperationCountsWithinOne) {
  const Rows rows = rows_of(released_local_plans(1062, RandomStream(3)));
  EXPECT_EQ(rows.direct, 103);
  EXPECT_EQ(rows.scaled, 168);
  EXPECT_NEAR(rows.turns.at(Turn::kHalfTurn), 336, 1);
  EXPECT_NEAR(rows.turns.at(Turn::kVerticalFlip), 356, 1);
  EXPECT_NEAR(rows.turns.at(Turn::kHorizontalFlip), 368, 1);
  EXPECT_EQ(rows.retouches.at(Adjustment::kBrightness), 358);
  EXPECT_EQ(rows.retouches.at(Adjustment::kContrast), 364);
  EXPECT_EQ(rows.retouches.at(Adjustment::kSaturation), 342);
  EXPECT_FALSE(rows.retouches.contains(Adjustment::kHue));
}

TEST(ReleasedCounts, AreThoseOfTheReleaseAtItsOwnSize) {
  std::map<ThemisCategory, int> counts;
  for (const CategoryCount& share : released_counts(3278, WithTexts::kYes))
    counts[share.category] = share.count;
  EXPECT_EQ(counts[ThemisCategory::kSplicing], 534);
  EXPECT_EQ(counts[ThemisCategory::kCopyMove], 92);
  EXPECT_EQ(counts[ThemisCategory::kAuthentic], 273);
  EXPECT_EQ(counts[ThemisCategory::kUnrelatedPair], 100);
  EXPECT_EQ(counts[ThemisCategory::kNumericalText], 60);
  EXPECT_EQ(counts[ThemisCategory::kTrendText], 90);
  EXPECT_EQ(counts[ThemisCategory::kConsistentText], 150);
  for (const int total : {1, 10, 97}) {
    int sum = 0;
    for (const CategoryCount& share : released_counts(total, WithTexts::kNo)) sum += share.count;
    EXPECT_EQ(sum, total);
  }
}

TEST(ReleasedKinds, DealNoTablesForSplices) {
  for (const PanelKind kind : released_kinds(ThemisCategory::kSplicing, 534, RandomStream(1)))
    EXPECT_NE(kind, PanelKind::kTable);
}

TEST(ReleasedPlans, WorkForAnyCount) {
  for (const int count : {0, 1, 2, 3, 7}) {
    EXPECT_EQ(released_global_plans(count, RandomStream(1)).size(), static_cast<std::size_t>(count));
    EXPECT_EQ(released_local_plans(count, RandomStream(1)).size(), static_cast<std::size_t>(count));
    EXPECT_EQ(released_kinds(ThemisCategory::kSplicing, count, RandomStream(1)).size(),
              static_cast<std::size_t>(count));
  }
}

}  // namespace
}  // namespace awry::forge
