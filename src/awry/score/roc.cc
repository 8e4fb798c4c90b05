// SPDX-License-Identifier: Apache-2.0
#include "awry/score/roc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace awry::score {

Result<double> auroc(std::span<const double> scores, std::span<const std::uint8_t> labels) {
  if (scores.size() != labels.size()) {
    return fail({.what = "cannot compute AUROC",
                 .why = fmt::format("{} scores but {} labels", scores.size(), labels.size())});
  }
  std::vector<double> negatives, positives;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (std::isnan(scores[i])) {
      return fail({.what = "cannot compute AUROC", .why = fmt::format("score {} is not a number", i)});
    }
    (labels[i] != 0 ? positives : negatives).push_back(scores[i]);
  }
  if (positives.empty() || negatives.empty()) {
    return fail({.what = "AUROC is undefined",
                 .why = fmt::format("it ranks positive against negative items, but there are {} and {}",
                                    positives.size(), negatives.size())});
  }

  std::ranges::sort(negatives);
  std::ranges::sort(positives);
  // Twice the number of pairs in the right order, ties counting once: whole numbers, so exact.
  std::uint64_t twice_won = 0;
  std::size_t below = 0, not_above = 0;
  for (double positive : positives) {
    while (below < negatives.size() && negatives[below] < positive) ++below;
    while (not_above < negatives.size() && negatives[not_above] <= positive) ++not_above;
    twice_won += below + not_above;
  }
  return static_cast<double>(twice_won) /
         (2.0 * static_cast<double>(positives.size()) * static_cast<double>(negatives.size()));
}

}  // namespace awry::score
