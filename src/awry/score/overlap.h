// SPDX-License-Identifier: Apache-2.0
// How much two places have in common: blocks of a grid, pixels of a mask, boxes.
//
// Everywhere in this file two empty places agree completely (1), an empty and a non-empty one not at all (0).
#pragma once

#include <span>

#include "awry/base/result.h"
#include "awry/records/region.h"

namespace awry::score {

// Block numbers in any order; repeats count once.
double block_iou(std::span<const int> a, std::span<const int> b);

// On run lengths; no pixel is ever unpacked. Masks of different sizes, or with runs that do not cover their
// image, are an error.
Result<double> mask_iou(const Mask& first, const Mask& second);

double box_iou(const Box& a, const Box& b);

// Area of the predicted box over area of the true one: below 1 it is too small, above 1 too large.
// An error when the true box is empty.
Result<double> coverage_ratio(const Box& predicted, const Box& truth);

}  // namespace awry::score
