// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/anomreason/item.h"

#include <fmt/format.h>

namespace awry::benchmarks::anomreason {
namespace {

Result<Item> make_item(const AnsweredSample& answered) {
  const Sample& sample = answered.sample;
  if (answered.questions.size() != answered.answers.size()) {
    return fail({.what = "cannot score a sample",
                 .input = sample.id,
                 .why = fmt::format("{} questions and {} answers", answered.questions.size(),
                                    answered.answers.size())});
  }
  Item item{.sample = &sample};
  const Answer* verdict = answered.answers.empty() ? nullptr : &answered.answers.front();
  item.answer = verdict;
  for (std::size_t i = 1; i < answered.questions.size(); ++i) {
    if (answered.questions[i].kind == kDeepfakeList) item.answer = &answered.answers[i];
  }
  const std::string_view source = attribute(sample, kSourceAttribute);
  item.has_source = !source.empty();
  // A verdict stands even where the list after it cannot be read.
  if (item.has_source && verdict != nullptr && !verdict->choices.empty()) {
    item.verdict_right = verdict->choices.front() == source;
  }
  return item;
}

score::TextBlock block_of(const Item& item, std::string_view field, std::string Finding::*text) {
  score::TextBlock block{.id = fmt::format("{}/{}", item.sample->id, field)};
  for (const Finding& finding : item.answer->findings) block.predictions.push_back(finding.*text);
  for (const Finding& finding : item.sample->truth) block.truths.push_back(finding.*text);
  return block;
}

std::vector<std::size_t> order_of(const std::vector<Finding>& findings, const Options& options) {
  if (options.rank == "listed") return score::rank_as_listed(findings.size());
  std::vector<std::optional<double>> severities;
  for (const Finding& finding : findings) severities.push_back(finding.severity);
  return score::rank_by_implausibility(severities);
}

Result<void> score_item(const score::SimilarityMatrix& phenomenon, const score::SimilarityMatrix& reasoning,
                        const Options& options, Item& item) {
  const auto variant =
      options.variant == "released" ? score::SemanticVariant::kReleased : score::SemanticVariant::kRanked;
  AWRY_TRY_ASSIGN(const score::SimilarityMatrix full,
                  score::blend(phenomenon, reasoning, static_cast<float>(options.alpha)));
  const std::vector<std::size_t> order = order_of(item.answer->findings, options);
  for (std::size_t i = 0; i < kViews.size(); ++i) {
    const auto& view = !kViews[i].reasoning ? phenomenon : !kViews[i].phenomenon ? reasoning : full;
    item.scores[i] = score::score_at_thresholds(variant, {.similarity = view, .full = full, .order = order},
                                                options.thresholds);
  }
  return {};
}

}  // namespace

Result<std::vector<Item>> compare(std::span<const AnsweredSample> samples, const Options& options,
                                  score::Similarity& similarity) {
  std::vector<Item> items;
  items.reserve(samples.size());
  std::vector<score::TextBlock> blocks;  // two for each image that has both predictions and truths
  for (const AnsweredSample& sample : samples) {
    if (!sample.sample.has_truth) continue;
    AWRY_TRY_ASSIGN(Item item, make_item(sample));
    if (item.answered() && !item.answer->findings.empty() && !item.sample->truth.empty()) {
      blocks.push_back(block_of(item, "phenomenon", &Finding::phenomenon));
      blocks.push_back(block_of(item, "reasoning", &Finding::reasoning));
    }
    items.push_back(std::move(item));
  }
  AWRY_TRY_ASSIGN(const std::vector<score::SimilarityMatrix> matrices, similarity.compare(blocks));

  std::size_t next = 0;
  for (Item& item : items) {
    if (!item.answered()) continue;
    const std::size_t predictions = item.answer->findings.size(), truths = item.sample->truth.size();
    if (predictions > 0 && truths > 0) {
      AWRY_TRY(score_item(matrices[next], matrices[next + 1], options, item));
      next += 2;
    } else {
      const score::SimilarityMatrix nothing{.predictions = predictions, .truths = truths};
      AWRY_TRY(score_item(nothing, nothing, options, item));
    }
  }
  return items;
}

}  // namespace awry::benchmarks::anomreason
