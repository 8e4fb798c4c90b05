// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/embedder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "awry/inspectors/networks/greedy_matching.h"

namespace awry::inspectors::networks {
namespace {

constexpr float kMostSane = 1e15F;  // squares of it still add up to a number; NaN is not below it

}  // namespace

Result<Embedder> Embedder::open(TextModel& model, const EmbedderOptions& options) {
  Embedder embedder(model, options);
  if (!options.cache.empty()) {
    AWRY_TRY_ASSIGN(embedder.cache_, EmbeddingCache::open(options.cache, model));
  }
  return embedder;
}

Result<std::vector<Embedding>> Embedder::embed(std::span<const Tokens* const> texts) {
  std::vector<Embedding> embeddings(texts.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto known = cache_ == nullptr ? std::nullopt : cache_->find(*texts[i]);
    if (known) {
      embeddings[i] = std::move(*known);
      ++stats_.from_cache;
      if (options_.after_batch) AWRY_TRY(options_.after_batch(1));
    } else {
      order.push_back(i);
    }
  }
  if (order.empty()) return embeddings;
  AWRY_TRY_ASSIGN(TextEncoder* const encoder, model_->encoder());
  stats_.encoded += order.size();
  AWRY_TRY(encode(*encoder, texts, order, embeddings));
  if (cache_ != nullptr) {
    for (const std::size_t i : order) AWRY_TRY(cache_->add(*texts[i], embeddings[i]));
  }
  return embeddings;
}

Result<std::vector<Embedding>> Embedder::embed_exactly(std::span<const Tokens* const> texts) {
  std::vector<Embedding> embeddings(texts.size());
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0);
  AWRY_TRY_ASSIGN(TextEncoder* const encoder, model_->exact_encoder());
  AWRY_TRY(encode(*encoder, texts, std::move(order), embeddings));
  return embeddings;
}

Result<void> Embedder::encode(TextEncoder& encoder, std::span<const Tokens* const> texts,
                              std::vector<std::size_t> order, std::vector<Embedding>& embeddings) {
  const auto longer = [&](std::size_t a, std::size_t b) { return texts[a]->size() > texts[b]->size(); };
  std::stable_sort(order.begin(), order.end(), longer);
  const auto width = static_cast<std::size_t>(model_->shape().hidden);
  std::vector<float> states;
  for (std::size_t first = 0; first < order.size();) {
    Tokens tokens;
    std::vector<std::int32_t> lengths;
    std::size_t last = first;
    for (; last < order.size(); ++last) {
      const Tokens& text = *texts[order[last]];
      if (!tokens.empty() && tokens.size() + text.size() > options_.batch_tokens) break;
      tokens.insert(tokens.end(), text.begin(), text.end());
      lengths.push_back(static_cast<std::int32_t>(text.size()));
    }
    states.resize(tokens.size() * width);
    if (std::string error = encoder.encode(tokens, lengths, model_->layer(), states); !error.empty()) {
      return fail({.what = "cannot encode texts with", .input = model_->name(), .why = std::move(error)});
    }
    // Read on, such states would be like nothing, and score 0 without a word.
    if (!std::ranges::all_of(states, [](float value) { return std::abs(value) < kMostSane; })) {
      return fail({.what = "cannot encode texts with",
                   .input = model_->name(),
                   .why = "what it computes is not finite, so its weights must be damaged",
                   .hint = "Download the weights again."});
    }
    normalise_rows(states, width);
    auto from = states.begin();
    for (std::size_t i = first; i < last; ++i) {
      const auto to = from + static_cast<std::ptrdiff_t>(texts[order[i]]->size() * width);
      embeddings[order[i]].assign(from, to);
      from = to;
    }
    if (options_.after_batch) AWRY_TRY(options_.after_batch(last - first));
    first = last;
  }
  return {};
}

}  // namespace awry::inspectors::networks
