// SPDX-License-Identifier: Apache-2.0
// One image compared with its truth: what every metric of AnomReason is a mean of.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "awry/benchmarks/anomreason/anomreason.h"
#include "awry/score/semantic_matching.h"

namespace awry::benchmarks::anomreason {

struct Item {
  const Sample* sample = nullptr;
  const Answer* answer = nullptr;  // holds the anomalies; nullptr: nobody asked, or it got lost

  // For each of kViews one score per threshold; empty without an answer.
  std::array<std::vector<score::SemanticScore>, kViews.size()> scores;

  // Only for images whose source is known.
  bool has_source = false;
  std::optional<bool> verdict_right;  // absent: the answer does not say

  bool answered() const { return answer != nullptr && answer->outcome == Outcome::kAnswered; }
  score::SemanticScore mean(std::size_t view) const { return score::mean_score(scores[view]); }
};

// Samples without truth are left out. All texts go to the similarity at once.
Result<std::vector<Item>> compare(std::span<const AnsweredSample> samples, const Options& options,
                                  score::Similarity& similarity);

}  // namespace awry::benchmarks::anomreason
