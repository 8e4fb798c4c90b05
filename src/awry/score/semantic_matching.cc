// SPDX-License-Identifier: Apache-2.0
#include "awry/score/semantic_matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace awry::score {
namespace {

// Similarities are single precision, so 0.7 must be as well: as a double it is above the float nearest to it.
bool reaches(float similarity, double threshold) {
  return similarity >= static_cast<float>(threshold);
}

double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<std::size_t> most_similar_free(const SimilarityMatrix& similarity, const SimilarityMatrix& full,
                                             std::size_t prediction, const std::vector<bool>& taken,
                                             double threshold) {
  std::optional<std::size_t> best;
  for (std::size_t truth = 0; truth < similarity.truths; ++truth) {
    const float value = similarity.at(prediction, truth);
    if (taken[truth] || !reaches(value, threshold)) continue;
    if (best) {
      const float best_value = similarity.at(prediction, *best);
      const bool better =
          value != best_value ? value > best_value : full.at(prediction, truth) > full.at(prediction, *best);
      if (!better) continue;
    }
    best = truth;
  }
  return best;
}

}  // namespace

Result<SimilarityMatrix> blend(const SimilarityMatrix& phenomenon, const SimilarityMatrix& reasoning,
                               float alpha) {
  if (phenomenon.predictions != reasoning.predictions || phenomenon.truths != reasoning.truths) {
    return fail({.what = "cannot blend the similarities of two fields",
                 .why = fmt::format("one is {} by {}, the other {} by {}", phenomenon.predictions,
                                    phenomenon.truths, reasoning.predictions, reasoning.truths)});
  }
  SimilarityMatrix blended = phenomenon;
  for (std::size_t i = 0; i < blended.cells.size(); ++i) {
    const float cell = alpha * phenomenon.cells[i] + (1.0F - alpha) * reasoning.cells[i];
    blended.cells[i] = std::clamp(cell, 0.0F, 1.0F);
  }
  return blended;
}

std::vector<std::size_t> rank_as_listed(std::size_t predictions) {
  std::vector<std::size_t> order(predictions);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

std::vector<std::size_t> rank_by_implausibility(std::span<const std::optional<double>> severities) {
  constexpr double kLast = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> order = rank_as_listed(severities.size());
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return severities[i].value_or(kLast); });
  return order;
}

SemanticScore score_ranked(const SimilarityMatrix& similarity, const SimilarityMatrix& full,
                           std::span<const std::size_t> order, double threshold) {
  if (similarity.predictions == 0 && similarity.truths == 0) return {.ap = 1, .f1 = 1};
  if (similarity.predictions == 0 || similarity.truths == 0) return {};
  std::vector<bool> taken(similarity.truths);
  SemanticScore score;
  std::size_t hits = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const auto truth = most_similar_free(similarity, full, order[rank], taken, threshold);
    if (!truth) continue;
    taken[*truth] = true;
    ++hits;
    score.ap += share(hits, rank + 1);  // recall grows by 1 / truths: divided once, below
  }
  score.ap /= static_cast<double>(similarity.truths);
  score.f1 = share(2 * hits, similarity.predictions + similarity.truths);
  return score;
}

std::vector<std::optional<std::size_t>> match_most_similar_first(const SimilarityMatrix& similarity) {
  // Sorted once instead of searched again for every pair; a stable order keeps ties row by row.
  std::vector<std::size_t> cells = rank_as_listed(similarity.cells.size());
  std::erase_if(cells, [&](std::size_t cell) { return !(similarity.cells[cell] > 0); });
  std::ranges::stable_sort(cells, std::greater<>(), [&](std::size_t cell) { return similarity.cells[cell]; });

  std::vector<std::optional<std::size_t>> matched(similarity.predictions);
  std::vector<bool> taken(similarity.truths);
  for (const std::size_t cell : cells) {
    const std::size_t prediction = cell / similarity.truths, truth = cell % similarity.truths;
    if (matched[prediction] || taken[truth]) continue;
    matched[prediction] = truth;
    taken[truth] = true;
  }
  return matched;
}

SemanticScore score_released(const SimilarityMatrix& similarity,
                             std::span<const std::optional<std::size_t>> matched, double threshold) {
  std::size_t hits = 0;
  for (std::size_t prediction = 0; prediction < matched.size(); ++prediction) {
    const auto& truth = matched[prediction];
    if (truth && reaches(similarity.at(prediction, *truth), threshold)) ++hits;
  }
  return {.ap = share(hits, similarity.predictions),
          .f1 = share(2 * hits, similarity.predictions + similarity.truths)};
}

std::vector<SemanticScore> score_at_thresholds(SemanticVariant variant, const SemanticInput& image,
                                               std::span<const double> thresholds) {
  std::vector<SemanticScore> scores;
  scores.reserve(thresholds.size());
  if (variant == SemanticVariant::kRanked) {
    for (const double threshold : thresholds) {
      scores.push_back(score_ranked(image.similarity, image.full, image.order, threshold));
    }
  } else {
    const auto matched = match_most_similar_first(image.similarity);
    for (const double threshold : thresholds) {
      scores.push_back(score_released(image.similarity, matched, threshold));
    }
  }
  return scores;
}

SemanticScore mean_score(std::span<const SemanticScore> scores) {
  SemanticScore mean;
  if (scores.empty()) return mean;
  for (const SemanticScore& score : scores) mean.ap += score.ap, mean.f1 += score.f1;
  const auto count = static_cast<double>(scores.size());
  return {.ap = mean.ap / count, .f1 = mean.f1 / count};
}

SemanticScore if_verdict_right(const SemanticScore& score, bool right) {
  return right ? score : SemanticScore{};
}

}  // namespace awry::score
