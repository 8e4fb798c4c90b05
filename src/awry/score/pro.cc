// SPDX-License-Identifier: Apache-2.0
#include "awry/score/pro.h"

namespace awry::score {

double covered_width(NormalRank rank, std::uint64_t normal_pixels, double limit) {
  const double normals = static_cast<double>(normal_pixels);
  const double from = static_cast<double>(rank.above) / normals;
  const double to = static_cast<double>(rank.above + rank.equal) / normals;
  if (from >= limit) return 0;
  if (to <= limit) return limit - (from + to) / 2;
  // The limit cuts the slope of a tie: what is left of it is a triangle.
  return (limit - from) * (limit - from) / (2 * (to - from));
}

}  // namespace awry::score
