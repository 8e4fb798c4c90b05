// SPDX-License-Identifier: Apache-2.0
// SemAP and SemF1: did a model describe the anomalies that are really there? Predictions and truths of one
// image are paired by the similarity of their texts; a pair counts from a threshold on.
//
// Two different metrics go by these names, and they rank models differently:
//   ranked    as the paper's appendix defines it: average precision over predictions in order of
//             confidence, paired anew at every threshold
//   released  as the published tables were computed: one pairing of the most similar first, then
//             thresholded; its "SemAP" is plain precision
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/score/similarity.h"

namespace awry::score {

enum class SemanticVariant { kRanked, kReleased };

// ap and f1 of one image, at one threshold or averaged over several.
struct SemanticScore {
  double ap = 0, f1 = 0;
  bool operator==(const SemanticScore&) const = default;
};

// alpha * phenomenon + (1 - alpha) * reasoning, in single precision, clipped to [0, 1]. alpha is 1 for the
// view Phe, 0 for Rea, 0.5 for Full. An error when the two differ in size.
Result<SimilarityMatrix> blend(const SimilarityMatrix& phenomenon, const SimilarityMatrix& reasoning,
                               float alpha);

// Most implausible first, so confidence is 100 - severity. Ties stay in the order listed; predictions
// without a severity come last.
std::vector<std::size_t> rank_by_implausibility(std::span<const std::optional<double>> severities);
std::vector<std::size_t> rank_as_listed(std::size_t predictions);

// Each prediction in turn takes the most similar truth still free, if that reaches the threshold; equally
// similar truths are told apart by `full`, then by the lower index. `order` holds every row once.
// Nothing on both sides is 1, nothing on one side only is 0.
SemanticScore score_ranked(const SimilarityMatrix& similarity, const SimilarityMatrix& full,
                           std::span<const std::size_t> order, double threshold);

// The truth that each prediction is paired with: again and again the largest cell whose row and column are
// free, the first one row by row among equals, until none is above 0.
std::vector<std::optional<std::size_t>> match_most_similar_first(const SimilarityMatrix& similarity);

// ap is the precision of the pairs that reach the threshold. Nothing on either side, or on both, is 0.
SemanticScore score_released(const SimilarityMatrix& similarity,
                             std::span<const std::optional<std::size_t>> matched, double threshold);

// Everything that the two variants need to know about one image and view.
struct SemanticInput {
  const SimilarityMatrix& similarity;
  const SimilarityMatrix& full;        // for ties; `ranked` only
  std::span<const std::size_t> order;  // `ranked` only
};

// One score per threshold.
std::vector<SemanticScore> score_at_thresholds(SemanticVariant variant, const SemanticInput& image,
                                               std::span<const double> thresholds);

SemanticScore mean_score(std::span<const SemanticScore> scores);  // 0 without scores

// CSemAP and CSemF1: an explanation counts only beside a right verdict on the image.
SemanticScore if_verdict_right(const SemanticScore& score, bool right);

}  // namespace awry::score
