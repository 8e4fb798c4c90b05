// SPDX-License-Identifier: Apache-2.0
// How far several people agree, with the bootstrap over images.
#pragma once

#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/cave/board.h"
#include "awry/score/agreement.h"

namespace awry::benchmarks::cave {

struct RaterTable {
  std::size_t raters = 0;
  std::vector<std::vector<double>> by_image;  // whole rows of `raters` each; score::kNotRated for gaps

  score::Ratings of(std::span<const std::uint32_t> images) const;
};

// Spearman's rho (mean over pairs of raters), Krippendorff's ordinal alpha and Gwet's AC2 with quadratic
// weights on `scale`. Nothing where fewer than two people rated.
Result<void> write_agreement(Board& board, std::string_view group, const RaterTable& table,
                             const std::vector<double>& scale);

}  // namespace awry::benchmarks::cave
