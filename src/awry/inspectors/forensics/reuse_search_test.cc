// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/reuse_search.h"

#include <gtest/gtest.h>

#include "awry/inspectors/forensics/test_panels.h"

namespace awry::inspectors::forensics {
namespace {

imaging::Image part_of(const imaging::Image& image, int left, int top, int width, int height, bool mirrored) {
  imaging::Image part(width, height, 1);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      *part.at(x, y) = *image.at(left + (mirrored ? width - 1 - x : x), top + y);
  }
  return part;
}

bool proposes(const std::vector<ReuseCandidate>& candidates, std::size_t first, std::size_t second) {
  return std::ranges::any_of(candidates,
                             [&](const auto& c) { return c.first == first && c.second == second; });
}

TEST(ReuseSearch, ProposesThePanelsThatShareContentAndFewOthers) {
  constexpr std::size_t panels = 10;
  const imaging::Image picture = texture(500, 300, 99);
  ReuseSearch search(panels);
  for (std::size_t i = 0; i < panels; ++i) {
    search.add(i, i == 3   ? part_of(picture, 0, 0, 260, 260, false)
                  : i == 5 ? part_of(picture, 120, 20, 260, 260, false)
                  : i == 8 ? part_of(picture, 40, 10, 260, 260, true)
                           : texture(260, 260, i));
  }
  const auto candidates = search.candidates();
  EXPECT_TRUE(proposes(candidates, 3, 5));
  EXPECT_TRUE(proposes(candidates, 3, 8)) << "mirrored";
  EXPECT_TRUE(proposes(candidates, 5, 8)) << "mirrored";
  EXPECT_LE(candidates.size(), 6u);
}

TEST(ReuseSearch, DoesNotDependOnTheOrderOfAdding) {
  const imaging::Image panel = texture(200, 200, 5);
  const auto run = [&](std::vector<std::size_t> order) {
    ReuseSearch search(4);
    for (const std::size_t i : order) search.add(i, i < 2 ? panel : texture(200, 200, 70 + i));
    return search.candidates();
  };
  const auto candidates = run({0, 1, 2, 3});
  EXPECT_EQ(candidates, run({3, 1, 0, 2}));
  EXPECT_TRUE(proposes(candidates, 0, 1));
}

TEST(ReuseSearch, EmptyTinyAndUniformPanelsHaveNoPartners) {
  ReuseSearch search(5);
  search.add(0, imaging::Image());
  search.add(1, imaging::Image(1, 1, 1));
  search.add(2, imaging::Image(300, 300, 3, 255));
  search.add(3, imaging::Image(300, 300, 3, 255));
  EXPECT_TRUE(search.candidates().empty());
  EXPECT_TRUE(ReuseSearch(0).candidates().empty());
}

}  // namespace
}  // namespace awry::inspectors::forensics
