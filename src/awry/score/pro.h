// SPDX-License-Identifier: Apache-2.0
// Per-region overlap against false positive rate: the curve, and the exact area under it.
//
// The official procedure sorts every pixel, merges ties, and integrates PRO over FPR by trapezoids from
// (0,0) up to a limit. That area is a sum with one term per anomalous pixel: the pixel lifts the curve by
// 1 / (its region's size x number of regions) while FPR moves across the normal pixels that tie with it,
// and the lift lasts until the limit. So nothing needs sorting but a count of normal scores.
#pragma once

#include <cstdint>

namespace awry::score {

// Where one pixel's score falls among all normal scores.
struct NormalRank {
  std::uint64_t above = 0;  // normal pixels that score strictly higher
  std::uint64_t equal = 0;  // normal pixels that tie
};

// The width, in FPR, over which a pixel of that rank stays covered before `limit`: the area it adds to a
// curve that it lifts by 1, where a tie lifts linearly. In [0, limit].
double covered_width(NormalRank rank, std::uint64_t normal_pixels, double limit);

}  // namespace awry::score
