// SPDX-License-Identifier: Apache-2.0
#include "awry/score/pro_regions.h"

#include <algorithm>
#include <cstring>

namespace awry::score {
namespace {

// Masks are mostly empty, so zeros are skipped eight at a time.
const std::uint8_t* skip_zeros(const std::uint8_t* at, const std::uint8_t* end) {
  while (end - at >= 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, at, sizeof eight);
    if (eight != 0) break;
    at += 8;
  }
  while (at != end && *at == 0) ++at;
  return at;
}

std::uint32_t root_of(std::vector<std::uint32_t>& parents, std::uint32_t node) {
  while (parents[node] != node) node = parents[node] = parents[parents[node]];
  return node;
}

}  // namespace

Regions find_regions(std::span<const std::uint8_t> mask, int width, int height) {
  Regions found;
  auto& runs = found.runs;
  std::vector<std::uint32_t> parents;  // union-find over provisional regions; roots are the earliest

  std::size_t above = 0;  // first run of the row above that may still touch
  for (int y = 0; y < height; ++y) {
    const std::size_t row_start = runs.size();
    const std::uint8_t* const row = mask.data() + static_cast<std::size_t>(y) * width;
    const std::uint8_t* const row_end = row + width;
    const auto offset = static_cast<std::uint32_t>(row - mask.data());
    const auto row_above = static_cast<std::uint32_t>(y == 0 ? 0 : offset - width);

    for (const std::uint8_t* at = skip_zeros(row, row_end); at != row_end; at = skip_zeros(at, row_end)) {
      const auto begin = static_cast<std::uint32_t>(at - row);
      while (at != row_end && *at != 0) ++at;
      const auto end = static_cast<std::uint32_t>(at - row);

      // Runs [a, b) and [begin, end) of neighbouring rows touch, corners included, iff a <= end, begin <= b.
      while (above < row_start && runs[above].end - row_above < begin) ++above;
      auto region = static_cast<std::uint32_t>(parents.size());
      parents.push_back(region);
      for (std::size_t i = above; i < row_start && runs[i].begin - row_above <= end; ++i) {
        const std::uint32_t other = root_of(parents, runs[i].region);
        parents[std::max(region, other)] = std::min(region, other);
        region = std::min(region, other);
      }
      runs.push_back({offset + begin, offset + end, region});
    }
    above = row_start;
  }

  std::vector<std::uint32_t> numbers(parents.size());
  for (std::uint32_t node = 0; node < parents.size(); ++node) {
    const std::uint32_t root = root_of(parents, node);
    if (root == node) {
      numbers[node] = static_cast<std::uint32_t>(found.sizes.size());
      found.sizes.push_back(0);
    } else {
      numbers[node] = numbers[root];
    }
  }
  for (RegionRun& run : runs) {
    run.region = numbers[run.region];
    found.sizes[run.region] += run.end - run.begin;
  }
  return found;
}

}  // namespace awry::score
