// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/kinds.h"

#include <gtest/gtest.h>

#include <cmath>

namespace awry::benchmarks::magicmirror {
namespace {

// Mean and variance of many draws against those of the distribution, within five standard errors.
TEST(DrawBinomial, HasTheMomentsOfTheDistribution) {
  struct Case {
    std::uint32_t trials;
    double probability;
  };
  for (const auto [trials, probability] :
       {Case{1, 0.3}, Case{12, 0.9}, Case{1000, 0.001}, Case{300'000, 0.4}}) {
    RandomStream stream(7);
    constexpr int kDraws = 20'000;
    double sum = 0, squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const std::uint32_t drawn = draw_binomial(trials, probability, stream);
      ASSERT_LE(drawn, trials);
      sum += drawn;
      squares += static_cast<double>(drawn) * drawn;
    }
    const double mean = sum / kDraws, variance = squares / kDraws - mean * mean;
    const double expected = trials * probability, spread = expected * (1 - probability);
    EXPECT_NEAR(mean, expected, 5 * std::sqrt(spread / kDraws)) << trials << " " << probability;
    EXPECT_NEAR(variance / spread, 1, 0.1) << trials << " " << probability;
  }
}

TEST(DrawBinomial, CertaintiesAreCertain) {
  RandomStream stream(1);
  EXPECT_EQ(draw_binomial(0, 0.5, stream), 0u);
  EXPECT_EQ(draw_binomial(9, 0, stream), 0u);
  EXPECT_EQ(draw_binomial(9, 1, stream), 9u);
}

// The share of kind 1, whose interval is that of a proportion.
void share_of_ones(std::span<const std::uint32_t> counts, std::span<double> values) {
  values[0] = static_cast<double>(counts[1]) / (counts[0] + counts[1]);
}

Kinds zeros_and_ones(std::size_t zeros, std::size_t ones) {
  Kinds kinds;
  for (std::size_t i = 0; i < zeros; ++i) kinds.add(0);
  for (std::size_t i = 0; i < ones; ++i) kinds.add(1);
  return kinds;
}

TEST(BootstrapKinds, AgreesWithTheBootstrapOverUnits) {
  const Kinds kinds = zeros_and_ones(70, 30);
  std::vector<double> units(100, 0.0);
  std::fill(units.begin() + 70, units.end(), 1.0);
  const score::BootstrapOptions options{.resamples = 500, .seed = 3};
  const auto intervals = bootstrap_kinds(kinds, 1, share_of_ones, options);
  const auto expected = score::bootstrap_mean(units, options).value();
  ASSERT_TRUE(intervals.at(0).has_value());
  EXPECT_NEAR(intervals[0]->low, expected.interval.low, 1e-12);
  EXPECT_NEAR(intervals[0]->high, expected.interval.high, 1e-12);
}

TEST(BootstrapKinds, ManyUnitsGiveTheIntervalOfAProportion) {
  const Kinds kinds = zeros_and_ones(140'000, 60'000);
  const auto intervals = bootstrap_kinds(kinds, 1, share_of_ones, {.resamples = 2000});
  const double half_width = 1.96 * std::sqrt(0.3 * 0.7 / 200'000);
  ASSERT_TRUE(intervals.at(0).has_value());
  EXPECT_NEAR(intervals[0]->low, 0.3 - half_width, 0.15 * half_width);
  EXPECT_NEAR(intervals[0]->high, 0.3 + half_width, 0.15 * half_width);
}

TEST(BootstrapKinds, AnUndefinedMetricHasNoInterval) {
  const auto intervals =
      bootstrap_kinds(zeros_and_ones(3, 3), 1,
                      [](auto, std::span<double> values) { values[0] = std::nan(""); }, {.resamples = 10});
  EXPECT_FALSE(intervals.at(0).has_value());
}

}  // namespace
}  // namespace awry::benchmarks::magicmirror
