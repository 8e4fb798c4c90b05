// SPDX-License-Identifier: Apache-2.0
// How alike two descriptions of an anomaly are, from 0 to 1. What a similarity is made of decides every
// number that rests on it, so each one states itself in the metric signature.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "awry/base/result.h"

namespace awry::score {

// A row per prediction, a column per truth. Single precision, as the papers' encoders compute.
struct SimilarityMatrix {
  std::size_t predictions = 0, truths = 0;
  std::vector<float> cells;  // row by row

  float at(std::size_t prediction, std::size_t truth) const { return cells[prediction * truths + truth]; }
  bool operator==(const SimilarityMatrix&) const = default;
};

// Every prediction is to be compared with every truth: the phenomena of one image, say.
struct TextBlock {
  std::string id;  // named in errors, and what precomputed matrices are found by: "cat.png/phenomenon"
  std::vector<std::string_view> predictions, truths;
};

class Similarity {
 public:
  using Fields = std::vector<std::pair<std::string, std::string>>;

  virtual ~Similarity() = default;

  // For the metric signature: {"similarity", "bert"}, {"encoder", ...}, {"hash", ...}, {"layer", ...}.
  virtual Fields signature() const = 0;

  // One matrix per block, in order. All blocks at once, so that an encoder can batch texts and meet each
  // of them once. Cells come back clipped to [0, 1]; a matrix of the wrong size and a cell that is no
  // finite number are errors naming the block.
  Result<std::vector<SimilarityMatrix>> compare(std::span<const TextBlock> blocks);

 private:
  virtual Result<std::vector<SimilarityMatrix>> compute(std::span<const TextBlock> blocks) = 0;
};

// Shared words: F1 over multisets of case-folded word tokens, 0 where a text is empty. Fast, needs no model,
// and is *not* comparable to numbers in papers: it does not know that "hand" and "palm" are related.
class LexicalSimilarity final : public Similarity {
 public:
  Fields signature() const override { return {{"similarity", "lexical"}}; }

 private:
  Result<std::vector<SimilarityMatrix>> compute(std::span<const TextBlock> blocks) override;
};

// Matrices that somebody computed elsewhere, found by the block's id.
class PrecomputedSimilarity final : public Similarity {
 public:
  PrecomputedSimilarity(std::map<std::string, SimilarityMatrix> matrices, Fields signature)
      : matrices_(std::move(matrices)), signature_(std::move(signature)) {}
  Fields signature() const override { return signature_; }

 private:
  Result<std::vector<SimilarityMatrix>> compute(std::span<const TextBlock> blocks) override;

  std::map<std::string, SimilarityMatrix> matrices_;
  Fields signature_;
};

// Scoring must not see neural networks; whoever has one offers it here at start-up, before anything is
// scored. `argument` is what the user wrote behind the colon in "bert:distilbert-base-uncased".
using MakeSimilarity = std::function<Result<std::unique_ptr<Similarity>>(std::string_view argument)>;
void offer_similarity(std::string_view name, MakeSimilarity make);

// "lexical", or "name" or "name:argument" of one on offer. An unknown name is a usage error that lists them.
Result<std::unique_ptr<Similarity>> make_similarity(std::string_view wanted);

}  // namespace awry::score
