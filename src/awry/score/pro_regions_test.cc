// SPDX-License-Identifier: Apache-2.0
#include "awry/score/pro_regions.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/random.h"

namespace awry::score {
namespace {

struct Mask {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};

// '#' is marked.
Mask mask_of(const std::vector<std::string_view>& rows) {
  Mask mask{static_cast<int>(rows.front().size()), static_cast<int>(rows.size())};
  for (const auto row : rows) {
    for (const char pixel : row) mask.pixels.push_back(pixel == '#' ? 255 : 0);
  }
  return mask;
}

std::vector<std::uint32_t> sizes_of(const Mask& mask) {
  return find_regions(mask.pixels, mask.width, mask.height).sizes;
}

using Sizes = std::vector<std::uint32_t>;

TEST(FindRegions, JoinsCorners) {
  EXPECT_EQ(sizes_of(mask_of({"#..", ".#.", "..#"})), Sizes{3});
  EXPECT_EQ(sizes_of(mask_of({"..#", ".#.", "#.."})), Sizes{3});
  EXPECT_EQ(sizes_of(mask_of({"#.#", "...", "#.#"})), (Sizes{1, 1, 1, 1}));
}

TEST(FindRegions, JoinsBranchesThatMeetBelow) {
  EXPECT_EQ(sizes_of(mask_of({"#.#.#", "#.#.#", "#####"})), Sizes{11});
  EXPECT_EQ(sizes_of(mask_of({"#...#..#", ".#.#..#.", "..#..#.."})), (Sizes{5, 3}));
}

TEST(FindRegions, DoesNotWrapAroundTheEdge) {
  EXPECT_EQ(sizes_of(mask_of({"..#", "#.."})), (Sizes{1, 1}));
  EXPECT_EQ(sizes_of(mask_of({"..#", "#..", "..#"})), (Sizes{1, 1, 1}));
}

TEST(FindRegions, HandlesEmptyFullAndThinMasks) {
  EXPECT_TRUE(sizes_of(mask_of({"...", "..."})).empty());
  EXPECT_EQ(sizes_of(mask_of({"###", "###"})), Sizes{6});
  EXPECT_EQ(sizes_of(mask_of({"#.##..###"})), (Sizes{1, 2, 3}));
  EXPECT_EQ(sizes_of(mask_of({"#", ".", "#", "#"})), (Sizes{1, 2}));
}

void flood(const Mask& mask, std::vector<int>& labels, int x, int y, int label) {
  if (x < 0 || y < 0 || x >= mask.width || y >= mask.height) return;
  const int at = y * mask.width + x;
  if (mask.pixels[at] == 0 || labels[at] != 0) return;
  labels[at] = label;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) flood(mask, labels, x + dx, y + dy, label);
  }
}

TEST(FindRegions, EqualsFloodFillOnNoise) {
  RandomStream random(3);
  for (int round = 0; round < 300; ++round) {
    Mask mask{random.integer(1, 24), random.integer(1, 24)};
    const double density = random.uniform();
    for (int i = 0; i < mask.width * mask.height; ++i) mask.pixels.push_back(random.chance(density) ? 1 : 0);

    std::vector<int> labels(mask.pixels.size());
    int count = 0;
    for (int y = 0; y < mask.height; ++y) {
      for (int x = 0; x < mask.width; ++x) {
        const int at = y * mask.width + x;
        if (mask.pixels[at] != 0 && labels[at] == 0) flood(mask, labels, x, y, ++count);
      }
    }

    const Regions regions = find_regions(mask.pixels, mask.width, mask.height);
    ASSERT_EQ(regions.sizes.size(), static_cast<std::size_t>(count));
    std::vector<int> found(mask.pixels.size());
    for (const RegionRun& run : regions.runs) {
      for (std::uint32_t i = run.begin; i < run.end; ++i) found[i] = static_cast<int>(run.region) + 1;
    }
    EXPECT_EQ(found, labels) << "both number regions in reading order";
  }
}

}  // namespace
}  // namespace awry::score
