// SPDX-License-Identifier: Apache-2.0
// Whole numbers in given proportions: how many of each kind a set of a given size holds.
#pragma once

#include <span>
#include <vector>

namespace awry::forge {

// Shares that add up to `total` exactly, by largest remainders (the earlier wins a tie). Weights must not be
// negative; if all are 0 the first gets everything.
std::vector<int> apportion(int total, std::span<const double> weights);

}  // namespace awry::forge
