// SPDX-License-Identifier: Apache-2.0
#include "awry/score/significance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "awry/base/random.h"

namespace awry::score {
namespace {

using Values = std::vector<double>;
using Hits = std::vector<std::uint8_t>;

TEST(CompareMeans, SeesASmallButSteadyDifferenceThroughLargeScatter) {
  RandomStream random(1);
  Values first, second;
  for (int i = 0; i < 200; ++i) {
    first.push_back(random.normal(50, 20));
    second.push_back(first.back() + random.normal(0.5, 1));
  }
  const auto comparison = compare_means(first, second);
  ASSERT_TRUE(comparison);
  EXPECT_NEAR(comparison->difference, comparison->second - comparison->first, 1e-9);
  EXPECT_LT(comparison->p_value, 0.001);
  EXPECT_GT(comparison->interval.low, 0);

  const auto reversed = compare_means(second, first);
  EXPECT_NEAR(reversed->difference, -comparison->difference, 1e-12);
  EXPECT_EQ(reversed->p_value, comparison->p_value);
}

TEST(CompareMeans, FindsNothingBetweenARunAndItself) {
  const Values run{0, 1, 1, 0, 1};
  EXPECT_DOUBLE_EQ(compare_means(run, run)->p_value, 1);
  EXPECT_FALSE(compare_means(run, Values{1}));
}

TEST(CompareRatios, WithOnesBelowComparesMeans) {
  RandomStream random(2);
  Values first, second;
  for (int i = 0; i < 90; ++i) {
    first.push_back(random.normal());
    second.push_back(random.normal(0.2, 1));
  }
  const Values ones(90, 1);
  const auto means = compare_means(first, second);
  const auto ratios = compare_ratios({first, ones}, {second, ones});
  EXPECT_NEAR(ratios->difference, means->difference, 1e-12);
  EXPECT_NEAR(ratios->first, means->first, 1e-12);
  EXPECT_NEAR(ratios->interval.low, means->interval.low, 1e-12);
  EXPECT_EQ(ratios->p_value, means->p_value);
  EXPECT_FALSE(compare_ratios({first, ones}, {second, Values{1}}));
  EXPECT_FALSE(compare_ratios({first, ones}, {Values(90, std::nan("")), ones}));
}

TEST(SignFlipTest, EnumeratesSmallCases) {
  // Three equal differences: 2 of 8 sign patterns are as extreme.
  EXPECT_DOUBLE_EQ(*sign_flip_test(Values{1, 1, 1}), 0.25);
  // {1, 2, 3} sums to 6, its largest: 2 of 8. {1, 2, -3} sums to 0: all 8.
  EXPECT_DOUBLE_EQ(*sign_flip_test(Values{1, 2, 3}), 0.25);
  EXPECT_DOUBLE_EQ(*sign_flip_test(Values{1, 2, -3}), 1);
  EXPECT_DOUBLE_EQ(*sign_flip_test(Values{0.1, 0.2, 0.3, 0.4, 0.5}), 2.0 / 32);
  EXPECT_DOUBLE_EQ(*sign_flip_test(Values{0, 0, 5}), 1) << "one difference can fall either way";
  EXPECT_DOUBLE_EQ(*sign_flip_test(Values{0, 0}), 1);
  EXPECT_FALSE(sign_flip_test(Values{1, std::nan("")}));
}

TEST(SignFlipTest, SamplesLargeCasesToTheSameAnswer) {
  // 24 differences of one size are a coin: p is the two-sided binomial tail of 7 or fewer of 24.
  Values differences(24, 1.0);
  for (int i = 0; i < 7; ++i) differences[i] = -1;
  double tail = 0;
  for (int k = 0; k <= 7; ++k)
    tail += std::tgamma(25) / (std::tgamma(k + 1) * std::tgamma(25 - k)) / 16777216.0;
  EXPECT_NEAR(*sign_flip_test(differences), 2 * tail, 0.006);
}

TEST(McNemar, IsTheExactBinomialTail) {
  Hits first(20, 1), second(20, 1);
  for (int i = 0; i < 6; ++i) first[i] = 0;
  second[10] = 0;
  const auto result = mcnemar(first, second);
  EXPECT_EQ(result->only_first, 1U);
  EXPECT_EQ(result->only_second, 6U);
  EXPECT_NEAR(result->p_value, 2.0 * (1 + 7) / 128, 1e-12);
  EXPECT_DOUBLE_EQ(mcnemar(first, first)->p_value, 1);
  EXPECT_FALSE(mcnemar(first, Hits{1}));
}

TEST(Holm, StepsDown) {
  const Values corrected = holm(Values{0.01, 0.04, 0.03, 0.005});
  const Values expected{0.03, 0.06, 0.06, 0.02};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(corrected[i], expected[i], 1e-15);
  EXPECT_EQ(holm(Values{0.7, 0.8}), (Values{1, 1}));
  EXPECT_TRUE(holm(Values{}).empty());
}

TEST(Power, EqualsTheTextbookNormalApproximation) {
  // z(0.975) + z(0.8) = 1.959964 + 0.841621.
  EXPECT_NEAR(minimum_detectable_difference(1, 100), 0.2801585, 1e-6);
  EXPECT_NEAR(minimum_detectable_difference(0.5, 400, {.power = 0.9}), 3.2415156 * 0.025, 1e-6);
  EXPECT_EQ(samples_needed(0.5, 1), 32U) << "7.849 / 0.25 = 31.4";
  EXPECT_TRUE(std::isinf(minimum_detectable_difference(1, 0)));
  EXPECT_GT(samples_needed(0, 1), 1'000'000'000U);
}

}  // namespace
}  // namespace awry::score
