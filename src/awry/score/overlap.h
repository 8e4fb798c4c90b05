// SPDX-License-Identifier: Apache-2.0
// How much two places have in common: blocks of a grid, pixels of a mask, boxes.
//
// Everywhere in this file two empty places agree completely (1), an empty and a non-empty one not at all (0).
#pragma once

#include <cstdint>
#include <span>

#include "awry/base/result.h"
#include "awry/records/region.h"

namespace awry::score {

// Block numbers in any order; repeats count once.
double block_iou(std::span<const int> a, std::span<const int> b);

struct PixelCounts {
  std::uint64_t first = 0, second = 0, both = 0;
  bool operator==(const PixelCounts&) const = default;
};

// Walks the run lengths of both masks; no pixel is ever unpacked. Masks of different sizes are an error.
Result<PixelCounts> count_overlap(const Mask& first, const Mask& second);
Result<double> mask_iou(const Mask& first, const Mask& second);

double box_iou(const Box& a, const Box& b);

// Area of the predicted box over area of the true one: below 1 it is too small, above 1 too large.
// An error when the true box is empty.
Result<double> coverage_ratio(const Box& predicted, const Box& truth);

}  // namespace awry::score
