// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/pair_search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "awry/base/random.h"

namespace awry::forge {
namespace {

// Smooth enough to correlate, rough enough to differ. 37 is no multiple of a block.
std::vector<PanelSignature> some_panels(int count) {
  std::vector<PanelSignature> panels;
  for (int i = 0; i < count; ++i) {
    RandomStream random = RandomStream(9).fork(static_cast<std::uint64_t>(i));
    imaging::Image panel(random.integer(100, 300), random.integer(100, 300), 3);
    const int step = random.integer(1, 9), noise = random.integer(1, 90);
    for (int y = 0; y < panel.height; ++y) {
      for (int x = 0; x < panel.width; ++x) {
        for (int c = 0; c < 3; ++c)
          panel.at(x, y)[c] =
              static_cast<std::uint8_t>((x * step + y * (i % 4) + random.integer(0, noise)) & 255);
      }
    }
    panels.push_back(signature_of(panel));
  }
  return panels;
}

std::vector<SimilarPair> by_the_definition(const std::vector<PanelSignature>& panels) {
  std::vector<SimilarPair> pairs;
  for (std::uint32_t i = 0; i < panels.size(); ++i) {
    for (std::uint32_t j = i + 1; j < panels.size(); ++j)
      pairs.push_back({i, j, similarity(panels[i], panels[j]).total()});
  }
  std::ranges::stable_sort(pairs, std::ranges::greater{}, &SimilarPair::score);
  return pairs;
}

TEST(MostSimilarPairs, AreBitForBitThoseOfTheDefinition) {
  const auto panels = some_panels(37);
  const auto expected = by_the_definition(panels);
  for (const int threads : {1, 3}) {
    EXPECT_EQ(most_similar_pairs(panels, {.keep = 10'000, .threads = threads}), expected);
    const auto best = most_similar_pairs(panels, {.keep = 25, .threads = threads});
    EXPECT_TRUE(std::ranges::equal(best, std::span(expected).first(25)));
  }
}

TEST(MostSimilarPairs, LeaveOutPairsWithinAGroup) {
  const auto panels = some_panels(6);
  const std::vector<int> groups = {0, 0, 0, 1, 1, 2};
  const auto pairs = most_similar_pairs(panels, {.groups = groups});
  EXPECT_EQ(pairs.size(), 15 - 3 - 1);
  for (const SimilarPair& pair : pairs) EXPECT_NE(groups[pair.first], groups[pair.second]);
}

TEST(MostSimilarPairs, NeedAtLeastTwoPanels) {
  EXPECT_TRUE(most_similar_pairs({}).empty());
  EXPECT_TRUE(most_similar_pairs(some_panels(1)).empty());
  EXPECT_TRUE(most_similar_pairs(some_panels(3), {.keep = 0}).empty());
}

TEST(GreyProducts, HoldAtBothEndsOfTheScale) {
  const std::size_t length = 50'176;
  const std::vector<std::uint8_t> black(length, 0), white(length, 255);
  const std::uint8_t* both[] = {black.data(), white.data()};
  EXPECT_EQ(grey_products(both, both, length),
            (std::vector<std::uint64_t>{0, 0, 0, std::uint64_t{255} * 255 * length}));
}

}  // namespace
}  // namespace awry::forge
