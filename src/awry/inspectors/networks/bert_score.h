// SPDX-License-Identifier: Apache-2.0
// BERTScore of many pairs of texts, as one job: every distinct text goes through the model once.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/inspectors/networks/embedder.h"
#include "awry/inspectors/networks/greedy_matching.h"
#include "awry/inspectors/networks/text_model.h"

namespace awry::inspectors::networks {

// What unrelated sentences score with a model and layer: subtracted, it spreads the scores out.
struct Baseline {
  float precision = 0, recall = 0, f1 = 0;
};
// A line "LAYER,P,R,F" for every layer, as the reference package publishes them. The layer's line must be
// there, and its numbers below 1.
Result<Baseline> read_baseline(const std::filesystem::path& path, std::int64_t layer);

struct BertScoreOptions {
  bool idf = false;  // rare words count more; over the truths of the job
  std::optional<Baseline> baseline;
  std::uint64_t memory_bytes = 1ULL << 30;  // for embeddings held at once
  bool check_precision = true;  // with eight bits: hold some of the pairs against single precision
  EmbedderOptions embedder;
};

// Every prediction is compared with every truth.
struct TextPairs {
  std::vector<std::string_view> predictions, truths;
};
using BertScores = std::vector<BertScore>;  // of one TextPairs: a row per prediction

struct BertScoreJob {
  std::vector<BertScores> scores;  // one for each of the pairs, in order
  std::size_t texts = 0, distinct = 0, encoded = 0, from_cache = 0, cut = 0;
  // Eight bits against single precision, over the first pairs of the job.
  struct Deviation {
    std::size_t pairs = 0;
    double mean = 0, largest = 0;  // of the difference in F1
  };
  std::optional<Deviation> deviation;
};

// An empty text scores 0 with everything. Texts that are too long for the model are cut, and counted.
Result<BertScoreJob> bert_score(TextModel& model, std::span<const TextPairs> pairs,
                                const BertScoreOptions& options = {});

}  // namespace awry::inspectors::networks
