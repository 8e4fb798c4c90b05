// SPDX-License-Identifier: Apache-2.0
#include "awry/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace awry {
namespace {

constexpr int kDraws = 200'000;

TEST(RandomStream, SameNameSameNumbersWhateverWasDrawnBefore) {
  RandomStream root(7);
  RandomStream early = root.fork("panel").fork(3);
  for (int i = 0; i < 100; ++i) root.next();
  RandomStream late = root.fork("panel").fork(3);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(early.next(), late.next());
}

TEST(RandomStream, EveryStepOfTheNameMatters) {
  const RandomStream root(7);
  std::set<std::uint64_t> first;
  first.insert(RandomStream(7).next());
  first.insert(RandomStream(8).next());
  first.insert(root.fork("a").next());
  first.insert(root.fork("b").next());
  first.insert(root.fork(0).next());
  first.insert(root.fork(1).next());
  first.insert(root.fork("a").fork("b").next());
  first.insert(root.fork("b").fork("a").next());
  EXPECT_EQ(first.size(), 8U);
}

TEST(RandomStream, UniformHasTheMeanAndVarianceOfTheUniform) {
  RandomStream stream(1);
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = stream.uniform();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kDraws;
  EXPECT_NEAR(mean, 0.5, 0.004);
  EXPECT_NEAR(squares / kDraws - mean * mean, 1.0 / 12, 0.002);
}

TEST(RandomStream, BelowIsUnbiasedForBoundsThatDoNotDivideThePowerOfTwo) {
  RandomStream stream(2);
  std::array<int, 6> counts{};
  for (int i = 0; i < kDraws; ++i) ++counts[stream.below(6)];
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 6.0, 5 * std::sqrt(kDraws / 6.0));
}

TEST(RandomStream, IntegerIncludesBothEnds) {
  RandomStream stream(3);
  std::set<int> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(stream.integer(-1, 2));
  EXPECT_EQ(seen, (std::set<int>{-1, 0, 1, 2}));
}

TEST(RandomStream, NormalAndPoissonHaveTheirMoments) {
  RandomStream stream(4);
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = stream.normal(2, 3);
    sum += x;
    squares += (x - 2) * (x - 2);
  }
  EXPECT_NEAR(sum / kDraws, 2, 0.05);
  EXPECT_NEAR(squares / kDraws, 9, 0.15);
  for (const double mean : {0.5, 20.0, 200.0}) {
    double total = 0;
    for (int i = 0; i < 20'000; ++i) total += static_cast<double>(stream.poisson(mean));
    EXPECT_NEAR(total / 20'000, mean, 5 * std::sqrt(mean / 20'000));
  }
  EXPECT_EQ(stream.poisson(0), 0U);
}

TEST(RandomStream, SampleDrawsDistinctIndices) {
  RandomStream stream(5);
  auto drawn = stream.sample(50, 50);
  std::ranges::sort(drawn);
  for (std::size_t i = 0; i < drawn.size(); ++i) EXPECT_EQ(drawn[i], i);
  EXPECT_TRUE(stream.sample(0, 0).empty());
}

TEST(RandomStream, ShuffleKeepsEveryItem) {
  RandomStream stream(6);
  std::vector<int> items = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const std::vector<int> before = items;
  stream.shuffle(std::span(items));
  EXPECT_NE(items, before);
  EXPECT_TRUE(std::ranges::is_permutation(items, before));
}

}  // namespace
}  // namespace awry
