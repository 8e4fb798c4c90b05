// SPDX-License-Identifier: Apache-2.0
#include "awry/score/roc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
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

Result<BootstrapEstimate> bootstrap_auroc(std::span<const double> scores,
                                          std::span<const std::uint8_t> labels,
                                          const BootstrapOptions& options) {
  AWRY_TRY(auroc(scores, labels));  // says what is wrong with them

  // Ranked once: a resample then only counts how often each rank was drawn, on either side.
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t item) { return scores[item]; });
  std::vector<std::uint32_t> slot_of(scores.size());  // 2 x rank, + 1 for positive items; ties share a rank
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && scores[order[i]] != scores[order[i - 1]]) ++rank;
    slot_of[order[i]] = 2 * rank + (labels[order[i]] != 0 ? 1 : 0);
  }
  std::vector<std::uint32_t> drawn_in(2 * (rank + std::size_t{1}));
  return bootstrap(
      scores.size(),
      [&](std::span<const std::uint32_t> drawn) {
        std::ranges::fill(drawn_in, 0U);
        for (const std::uint32_t item : drawn) ++drawn_in[slot_of[item]];
        std::uint64_t twice_won = 0, negatives = 0, positives = 0;
        for (std::size_t slot = 0; slot < drawn_in.size(); slot += 2) {
          twice_won += drawn_in[slot + 1] * (2 * negatives + drawn_in[slot]);
          negatives += drawn_in[slot];
          positives += drawn_in[slot + 1];
        }
        if (negatives == 0 || positives == 0) return std::numeric_limits<double>::quiet_NaN();
        return static_cast<double>(twice_won) /
               (2.0 * static_cast<double>(positives) * static_cast<double>(negatives));
      },
      options);
}

}  // namespace awry::score
