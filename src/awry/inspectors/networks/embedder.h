// SPDX-License-Identifier: Apache-2.0
// Token sequences -> what a model makes of every token, as vectors of length 1.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "awry/base/result.h"
#include "awry/inspectors/networks/embedding_cache.h"
#include "awry/inspectors/networks/text_model.h"

namespace awry::inspectors::networks {

using Tokens = std::vector<Token>;
using Embedding = std::vector<float>;  // a row per token, of as many numbers as the model is wide

struct EmbedderOptions {
  std::size_t batch_tokens = 2048;                             // of one pass through the model
  std::filesystem::path cache;                                 // folder; empty: nothing is kept on disk
  std::function<Result<void>(std::size_t texts)> after_batch;  // an error stops
};

struct EmbedderStats {
  std::size_t encoded = 0, from_cache = 0;  // texts
};

class Embedder {
 public:
  static Result<Embedder> open(TextModel& model, const EmbedderOptions& options);

  // One embedding per sequence, in order. Sequences of equal length go through the model together.
  Result<std::vector<Embedding>> embed(std::span<const Tokens* const> texts);

  // The same without the cache and in single precision, whatever the model's own: to hold it against.
  Result<std::vector<Embedding>> embed_exactly(std::span<const Tokens* const> texts);

  const EmbedderStats& stats() const { return stats_; }

 private:
  Embedder(TextModel& model, const EmbedderOptions& options) : model_(&model), options_(options) {}
  Result<void> encode(TextEncoder& encoder, std::span<const Tokens* const> texts,
                      std::vector<std::size_t> order, std::vector<Embedding>& embeddings);

  TextModel* model_;
  EmbedderOptions options_;
  std::unique_ptr<EmbeddingCache> cache_;
  EmbedderStats stats_;
};

}  // namespace awry::inspectors::networks
