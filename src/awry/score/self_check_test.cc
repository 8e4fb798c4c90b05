// SPDX-License-Identifier: Apache-2.0
#include "awry/score/self_check.h"

#include <gtest/gtest.h>

#include <limits>

namespace awry::score {
namespace {

auto always(double value) {
  return [value] { return value; };
}

TEST(SelfCheck, AcceptsAMetricThatKeepsItsWord) {
  EXPECT_TRUE(
      check_metric({.metric = "iou", .perfect = always(1), .empty = always(0), .permuted = always(1)}));
}

TEST(SelfCheck, NamesTheMetricAndThePredictionThatFailed) {
  const auto refused =
      check_metric({.metric = "iou", .perfect = always(1), .empty = always(0), .permuted = always(0.5)});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message().find("'iou'"), std::string::npos);
  EXPECT_NE(refused.error().message().find("permuted"), std::string::npos);
}

TEST(SelfCheck, NotANumberNeverPasses) {
  EXPECT_FALSE(check_metric({.metric = "iou", .perfect = always(std::numeric_limits<double>::quiet_NaN())}));
}

TEST(SelfCheck, HonoursMetricsWhereLowIsGood) {
  EXPECT_TRUE(check_metric({.metric = "alarms", .perfect = always(0), .empty = always(0), .best = 0}));
}

TEST(SelfCheck, OneBadMetricSpoilsTheLot) {
  const SelfCheck checks[] = {{.metric = "good", .perfect = always(1)},
                              {.metric = "bad", .perfect = always(0)}};
  EXPECT_FALSE(check_metrics(checks).has_value());
}

}  // namespace
}  // namespace awry::score
