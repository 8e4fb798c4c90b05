// SPDX-License-Identifier: Apache-2.0
#include "awry/score/score_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "awry/base/random.h"

namespace awry::score {
namespace {

TEST(ScoreKey, KeepsTheOrderOfFloats) {
  const std::vector<float> ascending{-3e38f, -1.0f, -1e-40f, 0.0f,       1e-45f,
                                     1e-38f, 0.5f,  1.0f,    1.0000001f, 3e38f};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(score_key(ascending[i - 1]), score_key(ascending[i]));
    }
    EXPECT_EQ(score_of_key(score_key(ascending[i])), ascending[i]);
  }
  EXPECT_EQ(score_key(-0.0f), score_key(0.0f));
}

void expect_ranks_by_sorting(const ScoreCounts& counts, std::vector<std::uint32_t> keys,
                             const std::vector<std::uint32_t>& queries) {
  std::ranges::sort(keys);
  for (const std::uint32_t query : queries) {
    if (!counts.holds(query)) continue;
    const auto equal = std::ranges::equal_range(keys, query);
    const NormalRank rank = counts.rank(query);
    ASSERT_EQ(rank.above, static_cast<std::uint64_t>(keys.end() - equal.end())) << query;
    ASSERT_EQ(rank.equal, equal.size()) << query;
  }
}

// Values that crowd a few buckets, with ties, the edges of buckets included.
std::vector<std::uint32_t> crowded_keys(std::size_t count, RandomStream& random) {
  std::vector<std::uint32_t> keys(count);
  for (std::uint32_t& key : keys) {
    const auto bucket = static_cast<std::uint32_t>(random.integer(100, 103));
    const auto half = random.chance(0.3)
                          ? static_cast<std::uint32_t>(random.pick(std::vector{0, 1, 7, 65535}))
                          : static_cast<std::uint32_t>(random.below(65536));
    key = bucket << 16 | half;
  }
  return keys;
}

TEST(ScoreCounts, RanksLikeSortingFromListsAndFromTables) {
  RandomStream random(1);
  for (const std::size_t count : {0UL, 1UL, 200UL, 5'000UL, 300'000UL}) {
    const auto keys = crowded_keys(count, random);
    ScoreCounts counts;
    counts.add(std::span(keys).first(count / 3));
    counts.add(std::span(keys).subspan(count / 3));
    counts.finish();
    EXPECT_EQ(counts.total(), count);
    auto queries = crowded_keys(2000, random);
    for (const std::uint32_t corner : {0U, 0xFFFFU, 99U << 16 | 0xFFFF, 104U << 16, 0xFFFF'FFFFU}) {
      queries.push_back(corner);
    }
    expect_ranks_by_sorting(counts, keys, queries);
  }
}

TEST(ScoreCounts, WidensItsTablesBeforeTheyOverflow) {
  RandomStream random(2);
  const auto keys = crowded_keys(400'000, random);
  ScoreCounts counts({.narrow_limit = 50'000});
  counts.add(keys);
  counts.finish();
  expect_ranks_by_sorting(counts, keys, crowded_keys(2000, random));
}

TEST(ScoreCounts, GivesUpTheLowestBucketsWhenMemoryEnds) {
  RandomStream random(3);
  std::vector<std::uint32_t> keys(1'000'000);
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random.next());

  std::uint32_t highest = 0xFFFF;
  std::size_t passes = 0;
  while (true) {
    ScoreCounts counts({.memory_limit = 0, .highest_bucket = highest});
    counts.add(keys);
    counts.finish();
    ++passes;
    ASSERT_LE(counts.memory_used(), std::size_t{2} << 20);
    std::vector<std::uint32_t> queries(keys.begin(), keys.begin() + 5000);
    expect_ranks_by_sorting(counts, keys, queries);
    if (counts.lowest_held() == 0) break;
    ASSERT_LT(counts.lowest_held(), highest) << "a pass must make progress";
    highest = counts.lowest_held() - 1;
  }
  EXPECT_GT(passes, 2U);
}

TEST(ScoreCounts, MemoryDoesNotGrowWithTheNumberOfScores) {
  RandomStream random(4);
  std::size_t after_first = 0;
  ScoreCounts counts;
  for (int round = 0; round < 10; ++round) {
    counts.add(crowded_keys(200'000, random));
    if (round == 0) after_first = counts.memory_used();
  }
  EXPECT_EQ(counts.memory_used(), after_first);
  EXPECT_LT(after_first, 4 * (std::size_t{300} << 10));
}

}  // namespace
}  // namespace awry::score
