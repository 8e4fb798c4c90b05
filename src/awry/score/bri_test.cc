// SPDX-License-Identifier: Apache-2.0
#include "awry/score/bri.h"

#include <gtest/gtest.h>

#include <cmath>

namespace awry::score {
namespace {

using Models = std::vector<std::vector<double>>;

TEST(BalancedRobustness, PenalisesUnevenModels) {
  // Scaled columns: (1, 0), (0, 1), (0.5, 0.5). All have mean 0.5; only the last one is even.
  const Models models = {{10, 0}, {0, 4}, {5, 2}};
  const auto indices = balanced_robustness(models).value();
  EXPECT_DOUBLE_EQ(indices[0], 0.25);
  EXPECT_DOUBLE_EQ(indices[1], 0.25);
  EXPECT_DOUBLE_EQ(indices[2], 0.5);
  EXPECT_DOUBLE_EQ(balanced_robustness(models, 0).value()[0], 0.5);
}

TEST(BalancedRobustness, DoesNotDependOnTheUnitOfAColumn) {
  const auto percent = balanced_robustness(Models{{10, 30}, {20, 10}, {15, 12}}).value();
  const auto share = balanced_robustness(Models{{0.10, 30}, {0.20, 10}, {0.15, 12}}).value();
  for (std::size_t i = 0; i < percent.size(); ++i) EXPECT_NEAR(percent[i], share[i], 1e-12);
}

TEST(BalancedRobustness, AColumnWithoutDifferencesCountsNothing) {
  EXPECT_DOUBLE_EQ(balanced_robustness(Models{{7}}).value()[0], 0.0);
}

TEST(BalancedRobustness, AnEmptyCohortHasNoIndices) {
  EXPECT_TRUE(balanced_robustness(Models{}).value().empty());
}

TEST(BalancedRobustness, RefusesGapsAndNumbersThatAreNone) {
  EXPECT_FALSE(balanced_robustness(Models{{1, 2}, {1}}).has_value());
  EXPECT_FALSE(balanced_robustness(Models{{}, {}}).has_value());
  EXPECT_FALSE(balanced_robustness(Models{{1}, {std::nan("")}}).has_value());
}

}  // namespace
}  // namespace awry::score
