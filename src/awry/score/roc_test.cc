// SPDX-License-Identifier: Apache-2.0
#include "awry/score/roc.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "awry/base/random.h"

namespace awry::score {
namespace {

using Labels = std::vector<std::uint8_t>;

double by_counting_pairs(const std::vector<double>& scores, const Labels& labels) {
  double won = 0, pairs = 0;
  for (std::size_t p = 0; p < scores.size(); ++p) {
    for (std::size_t n = 0; n < scores.size(); ++n) {
      if (labels[p] == 0 || labels[n] != 0) continue;
      won += scores[p] > scores[n] ? 1 : scores[p] == scores[n] ? 0.5 : 0;
      pairs += 1;
    }
  }
  return won / pairs;
}

TEST(Auroc, IsTheShareOfPairsInOrder) {
  // Of the four pairs only (0.35, 0.4) is in the wrong order.
  EXPECT_DOUBLE_EQ(*auroc(std::vector{0.1, 0.4, 0.35, 0.8}, Labels{0, 0, 1, 1}), 0.75);
  EXPECT_DOUBLE_EQ(*auroc(std::vector{1.0, 2.0, 3.0}, Labels{0, 1, 1}), 1);
  EXPECT_DOUBLE_EQ(*auroc(std::vector{3.0, 2.0, 1.0}, Labels{0, 1, 1}), 0);
}

TEST(Auroc, CountsTiesHalf) {
  EXPECT_DOUBLE_EQ(*auroc(std::vector{0.5, 0.5, 0.5, 0.5}, Labels{0, 1, 0, 1}), 0.5);
  EXPECT_DOUBLE_EQ(*auroc(std::vector{0.5, 0.5, 0.9}, Labels{0, 1, 1}), 0.75);
}

TEST(Auroc, EqualsPairCountingOnRandomTiedData) {
  RandomStream random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t size = 2 + random.below(60);
    const int levels = random.integer(1, 12);
    std::vector<double> scores(size);
    Labels labels(size);
    for (std::size_t i = 0; i < size; ++i) {
      scores[i] = random.integer(-levels, levels) / 3.0;
      labels[i] = random.chance(0.4) ? 1 : 0;
    }
    labels[0] = 0, labels[1] = 1;
    EXPECT_NEAR(*auroc(scores, labels), by_counting_pairs(scores, labels), 1e-14);

    std::vector<double> stretched = scores;
    for (double& score : stretched) score = std::exp(score) * 1e6 - 3;
    EXPECT_EQ(*auroc(scores, labels), *auroc(stretched, labels)) << "a monotone change moved it";
  }
}

TEST(Auroc, TreatsInfinityAsTheHighestScore) {
  EXPECT_DOUBLE_EQ(*auroc(std::vector{std::numeric_limits<double>::infinity(), 1.0}, Labels{1, 0}), 1);
}

TEST(Auroc, IsUndefinedWithoutBothKinds) {
  EXPECT_FALSE(auroc(std::vector{1.0, 2.0}, Labels{1, 1}));
  EXPECT_FALSE(auroc(std::vector{1.0, 2.0}, Labels{0, 0}));
  EXPECT_FALSE(auroc({}, {}));
}

TEST(Auroc, RefusesWhatCannotBeRanked) {
  const auto not_a_number = auroc(std::vector{1.0, std::nan("")}, Labels{1, 0});
  ASSERT_FALSE(not_a_number);
  EXPECT_NE(not_a_number.error().message().find("score 1"), std::string::npos);
  EXPECT_FALSE(auroc(std::vector{1.0, 2.0}, Labels{1}));
}

TEST(BootstrapAuroc, AgreesWithTheAreaOfEveryResample) {
  RandomStream random(5);
  std::vector<double> scores;
  Labels labels;
  for (int i = 0; i < 40; ++i) {
    scores.push_back(random.integer(0, 9));  // many ties
    labels.push_back(random.chance(0.4) ? 1 : 0);
  }
  const auto slow = bootstrap(scores.size(),
                              [&](std::span<const std::uint32_t> drawn) {
                                std::vector<double> drawn_scores;
                                Labels drawn_labels;
                                for (const std::uint32_t item : drawn) {
                                  drawn_scores.push_back(scores[item]);
                                  drawn_labels.push_back(labels[item]);
                                }
                                return by_counting_pairs(drawn_scores, drawn_labels);
                              },
                              {.resamples = 200});
  const auto fast = bootstrap_auroc(scores, labels, {.resamples = 200});
  ASSERT_TRUE(slow && fast);
  EXPECT_NEAR(fast->value, slow->value, 1e-12);
  EXPECT_NEAR(fast->interval.low, slow->interval.low, 1e-12);
  EXPECT_NEAR(fast->interval.high, slow->interval.high, 1e-12);
}

TEST(BootstrapAuroc, LeavesOutResamplesWithoutBothKinds) {
  // Two items: half of the resamples draw one of them twice.
  const auto estimate = bootstrap_auroc(std::vector<double>{1, 2}, Labels{0, 1}, {.resamples = 1000});
  ASSERT_TRUE(estimate);
  EXPECT_EQ(estimate->value, 1);
  EXPECT_EQ(estimate->interval.low, 1);
  EXPECT_GT(estimate->undefined, 400U);
  EXPECT_LT(estimate->undefined, 600U);
  EXPECT_FALSE(bootstrap_auroc(std::vector<double>{1, 2}, Labels{1, 1}));
}

}  // namespace
}  // namespace awry::score
