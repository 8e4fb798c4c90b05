// SPDX-License-Identifier: Apache-2.0
// How two lists of numbers about the same items go together: a model's scores and people's.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "awry/base/result.h"

namespace awry::score {

// 1-based ranks in ascending order; equal values share the mean of the ranks they take up.
std::vector<double> mid_ranks(std::span<const double> values);

// All of these fail when the lengths differ, a value is not finite, fewer than two items are given, or one
// list is constant: correlation is undefined then, not zero.
Result<double> pearson(std::span<const double> x, std::span<const double> y);
Result<double> spearman(std::span<const double> x, std::span<const double> y);       // Pearson of mid-ranks
Result<double> kendall_tau_b(std::span<const double> x, std::span<const double> y);  // corrected for ties

struct RankAgreement {
  double pearson = 0, spearman = 0, kendall_tau_b = 0;
  // Of the pairs distinct in both lists, the share that both order the same way; 0.5 when there is none.
  double pairs_ordered_alike = 0;
  std::size_t items = 0;
};
Result<RankAgreement> rank_agreement(std::span<const double> x, std::span<const double> y);

}  // namespace awry::score
