// SPDX-License-Identifier: Apache-2.0
#include "awry/score/bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "awry/base/random.h"

namespace awry::score {
namespace {

using Values = std::vector<double>;

Values normal_values(std::size_t count, double mean, double deviation, std::uint64_t seed) {
  RandomStream random(seed);
  Values values(count);
  for (double& value : values) value = random.normal(mean, deviation);
  return values;
}

TEST(DrawResample, DrawsEveryUnitEquallyOften) {
  std::vector<double> seen(7);
  std::vector<std::uint32_t> drawn(7);
  constexpr int kRounds = 20'000;
  for (int i = 0; i < kRounds; ++i) {
    draw_resample(1, i, drawn);
    for (const std::uint32_t unit : drawn) seen.at(unit) += 1;
  }
  double chi_square = 0;
  for (const double count : seen) chi_square += (count - kRounds) * (count - kRounds) / kRounds;
  EXPECT_LT(chi_square, 22.5) << "0.999 quantile for 6 degrees of freedom";
}

TEST(DrawResample, LeavesOutAboutAThird) {
  // (1 - 1/n)^n, which tends to 1/e: a real draw with replacement.
  std::vector<std::uint32_t> drawn(10'000);
  draw_resample(3, 0, drawn);
  std::vector<bool> present(drawn.size());
  for (const std::uint32_t unit : drawn) present[unit] = true;
  const auto absent = std::count(present.begin(), present.end(), false);
  EXPECT_NEAR(static_cast<double>(absent) / 10'000, std::exp(-1.0), 0.02);
}

TEST(DrawResample, DependsOnSeedAndNumberOnly) {
  std::vector<std::uint32_t> a(50), b(50), c(50), d(50);
  draw_resample(5, 17, a);
  draw_resample(5, 18, b);
  draw_resample(5, 17, c);
  draw_resample(6, 17, d);
  EXPECT_EQ(a, c);
  EXPECT_NE(a, b);
  EXPECT_NE(a, d);
}

TEST(BootstrapMean, FindsTheTextbookErrorOfAMean) {
  const Values values = normal_values(400, 2, 3, 8);
  const auto estimate = bootstrap_mean(values, {.resamples = 4000});
  ASSERT_TRUE(estimate);
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 400;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double standard_error = std::sqrt(squares / 400 / 400);
  EXPECT_NEAR(estimate->value, mean, 1e-12);
  EXPECT_NEAR(estimate->standard_error, standard_error, 0.05 * standard_error);
  EXPECT_NEAR(estimate->interval.low, mean - 1.96 * standard_error, 0.15 * standard_error);
  EXPECT_NEAR(estimate->interval.high, mean + 1.96 * standard_error, 0.15 * standard_error);
  EXPECT_DOUBLE_EQ(estimate->p_value, 2.0 / 4001) << "no resample reaches 0";
}

TEST(BootstrapMean, IntervalsCoverTheTruthAboutAsOftenAsTheyClaim) {
  int covered = 0, rejected = 0;
  constexpr int kRounds = 300;
  for (int round = 0; round < kRounds; ++round) {
    const auto estimate = bootstrap_mean(normal_values(60, 0, 1, 100 + round), {.resamples = 400});
    covered += estimate->interval.low <= 0 && estimate->interval.high >= 0;
    rejected += estimate->p_value <= 0.05;
  }
  EXPECT_NEAR(covered / static_cast<double>(kRounds), 0.94, 0.045);
  EXPECT_LT(rejected, kRounds * 0.11);
}

TEST(BootstrapRatio, OfOnesIsTheMean) {
  const Values values = normal_values(100, 1, 1, 3);
  const auto mean = bootstrap_mean(values);
  const auto ratio = bootstrap_ratio(values, Values(100, 1.0));
  EXPECT_NEAR(mean->interval.low, ratio->interval.low, 1e-12);
  EXPECT_NEAR(mean->interval.high, ratio->interval.high, 1e-12);
  EXPECT_EQ(mean->p_value, ratio->p_value);
}

TEST(BootstrapRatio, LeavesOutAndCountsUndefinedResamples) {
  // Precision where only one image of three has a prediction: (2/3)^3 of the resamples have none.
  const auto estimate = bootstrap_ratio(Values{1, 0, 0}, Values{2, 0, 0});
  EXPECT_DOUBLE_EQ(estimate->value, 0.5);
  EXPECT_NEAR(static_cast<double>(estimate->undefined) / 5000, 8.0 / 27, 0.03);
  EXPECT_EQ(estimate->undefined + estimate->resamples, 5000U);
  EXPECT_FALSE(bootstrap_ratio(Values{0, 0}, Values{0, 0}));
}

TEST(Bootstrap, GenericStatisticAgreesWithTheFastPath) {
  const Values values = normal_values(80, 0.1, 1, 4);
  const auto generic = bootstrap(80, [&](std::span<const std::uint32_t> drawn) {
    double sum = 0;
    for (const std::uint32_t unit : drawn) sum += values[unit];
    return sum / 80;
  });
  const auto fast = bootstrap_mean(values);
  EXPECT_EQ(generic->interval, fast->interval);
  EXPECT_EQ(generic->p_value, fast->p_value);
}

TEST(Bootstrap, OfOneUnitHasNoWidth) {
  const auto estimate = bootstrap_mean(Values{0.7});
  EXPECT_DOUBLE_EQ(estimate->interval.low, 0.7);
  EXPECT_DOUBLE_EQ(estimate->interval.high, 0.7);
  EXPECT_EQ(estimate->standard_error, 0);
}

TEST(Bootstrap, OfZeroesIsNotSignificant) {
  EXPECT_DOUBLE_EQ(bootstrap_mean(Values(20, 0.0))->p_value, 1);
}

TEST(Bootstrap, RefusesEmptyAndBrokenInput) {
  EXPECT_FALSE(bootstrap_mean({}));
  EXPECT_FALSE(bootstrap_mean(Values{1, std::numeric_limits<double>::infinity()}));
  EXPECT_FALSE(bootstrap_mean(Values{1, 2}, {.resamples = 0}));
  EXPECT_FALSE(bootstrap_mean(Values{1, 2}, {.level = 1}));
  EXPECT_FALSE(bootstrap_ratio(Values{1, 2}, Values{1}));
}

}  // namespace
}  // namespace awry::score
