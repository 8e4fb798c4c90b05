// SPDX-License-Identifier: Apache-2.0
#include "awry/score/correlation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "awry/base/random.h"

namespace awry::score {
namespace {

using Values = std::vector<double>;

TEST(MidRanks, SharesRanksBetweenTies) {
  EXPECT_EQ(mid_ranks(Values{10, 20, 20, 5}), (Values{2, 3.5, 3.5, 1}));
  EXPECT_EQ(mid_ranks(Values{7, 7, 7}), (Values{2, 2, 2}));
  EXPECT_TRUE(mid_ranks(Values{}).empty());
}

// IQ against hours of television a week, a textbook example: rho = -29/165.
const Values kIq{106, 100, 86, 101, 99, 103, 97, 113, 112, 110};
const Values kTelevision{7, 27, 2, 50, 28, 29, 20, 12, 6, 17};

TEST(Spearman, EqualsTheTextbookExample) {
  EXPECT_NEAR(*spearman(kIq, kTelevision), -29.0 / 165, 1e-14);
}

TEST(Pearson, EqualsAHandWorkedExample) {
  // Deviations (-1, 0, 1) and (-1, 1, 0): 1 / sqrt(2 * 2).
  EXPECT_DOUBLE_EQ(*pearson(Values{1, 2, 3}, Values{1, 3, 2}), 0.5);
  EXPECT_DOUBLE_EQ(*pearson(Values{1, 2, 3}, Values{-2, -4, -6}), -1);
}

TEST(Kendall, EqualsAHandWorkedExampleWithTies) {
  // Six pairs: 4 alike, 1 opposed, one tied in x: (4 - 1) / sqrt(5 * 6).
  EXPECT_NEAR(*kendall_tau_b(Values{1, 2, 2, 3}, Values{1, 3, 2, 2.5}), 3 / std::sqrt(30.0), 1e-15);
}

double tau_b_by_pairs(const Values& x, const Values& y) {
  double score = 0, distinct_x = 0, distinct_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      score += ((x[i] > x[j]) - (x[i] < x[j])) * ((y[i] > y[j]) - (y[i] < y[j]));
      distinct_x += x[i] != x[j];
      distinct_y += y[i] != y[j];
    }
  }
  return score / std::sqrt(distinct_x * distinct_y);
}

TEST(Kendall, EqualsPairCountingOnTiedNoise) {
  RandomStream random(5);
  for (int round = 0; round < 200; ++round) {
    Values x, y;
    const int levels = random.integer(1, 15);
    for (std::uint64_t i = 0, size = 3 + random.below(40); i < size; ++i) {
      x.push_back(random.integer(0, levels));
      y.push_back(random.chance(0.5) ? x.back() : random.integer(0, levels));
    }
    x[0] = -1, y[0] = -1, x[1] = 99, y[1] = 99;  // neither list is constant
    EXPECT_NEAR(*kendall_tau_b(x, y), tau_b_by_pairs(x, y), 1e-13);
  }
}

TEST(Correlation, RankMeasuresIgnoreMonotoneChange) {
  Values stretched = kTelevision;
  for (double& value : stretched) value = std::exp(value);
  EXPECT_EQ(*spearman(kIq, kTelevision), *spearman(kIq, stretched));
  EXPECT_EQ(*kendall_tau_b(kIq, kTelevision), *kendall_tau_b(kIq, stretched));
}

TEST(Correlation, SurvivesExtremeScales) {
  EXPECT_NEAR(*pearson(Values{1e-160, 2e-160, 3e-160}, Values{1e-160, 2e-160, 3e-160}), 1, 1e-12);
  EXPECT_NEAR(*pearson(Values{1e9 + 1, 1e9 + 2, 1e9 + 3}, Values{1, 2, 3}), 1, 1e-9);
}

TEST(Correlation, IsUndefinedForConstantShortOrBrokenLists) {
  EXPECT_FALSE(pearson(Values{1, 1, 1}, Values{1, 2, 3}));
  EXPECT_FALSE(spearman(Values{1, 2, 3}, Values{4, 4, 4}));
  EXPECT_FALSE(kendall_tau_b(Values{1}, Values{1}));
  EXPECT_FALSE(pearson(Values{1, 2}, Values{1, 2, 3}));
  EXPECT_FALSE(spearman(Values{1, std::nan("")}, Values{1, 2}));
}

TEST(RankAgreement, CountsPairsOrderedAlike) {
  const auto agreement = rank_agreement(Values{1, 2, 2, 3}, Values{1, 3, 2, 2.5});
  ASSERT_TRUE(agreement);
  EXPECT_DOUBLE_EQ(agreement->pairs_ordered_alike, 0.8);
  EXPECT_EQ(agreement->items, 4U);
  EXPECT_EQ(agreement->kendall_tau_b, *kendall_tau_b(Values{1, 2, 2, 3}, Values{1, 3, 2, 2.5}));
}

}  // namespace
}  // namespace awry::score
