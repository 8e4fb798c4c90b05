// SPDX-License-Identifier: Apache-2.0
// A text encoder as published: a folder with config.json, a tokenizer and weights.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "awry/base/result.h"
#include "awry/inspectors/networks/encoder_module.h"
#include "awry/inspectors/networks/model_config.h"
#include "awry/inspectors/networks/tokenizer.h"
#include "awry/inspectors/networks/weights.h"

namespace awry::inspectors::networks {

struct TextModelOptions {
  std::optional<std::int64_t> layer;  // unset: the one BERTScore uses for this model
  Precision precision = Precision::kF32;
  int threads = 0;  // 0: as many as torch thinks best
};

class TextModel {
 public:
  // Reads and checks everything but computes nothing: libtorch is not needed yet.
  static Result<std::unique_ptr<TextModel>> open(const std::filesystem::path& folder,
                                                 const TextModelOptions& options = {});

  const std::string& name() const { return name_; }  // "google/mt5-large", or the folder's name
  const std::string& hash() const { return hash_; }  // of every file that decides a number
  const EncoderShape& shape() const { return config_.shape; }
  const Tokenizer& tokenizer() const { return *tokenizer_; }
  std::int64_t layer() const { return layer_; }
  Precision precision() const { return options_.precision; }

  // Opened at the first call. The second one is for telling what eight bits cost.
  Result<TextEncoder*> encoder() { return open_encoder(options_.precision, encoder_); }
  Result<TextEncoder*> exact_encoder() { return open_encoder(Precision::kF32, exact_); }

 private:
  TextModel() = default;
  Result<TextEncoder*> open_encoder(Precision precision, std::unique_ptr<TextEncoder>& place) const;

  TextModelOptions options_;
  std::string name_, hash_;
  ModelConfig config_;
  std::unique_ptr<Tokenizer> tokenizer_;
  WeightFiles files_;
  EncoderWeights weights_;
  std::int64_t layer_ = 0;
  std::unique_ptr<TextEncoder> encoder_, exact_;
};

// The layer whose output BERTScore compares, where that is known: by name, else for a DistilBERT of six
// layers the fifth, which is that of its uncased and multilingual originals.
std::optional<std::int64_t> usual_layer(std::string_view model_name, const EncoderShape& shape);

// "models--google--mt5-large/snapshots/abc" -> "google/mt5-large"; else the folder's own name.
std::string model_name_of(const std::filesystem::path& folder);

// Of config.json, tokenizer and weights: equal hashes give equal scores.
Result<std::string> hash_model(const std::filesystem::path& folder);

}  // namespace awry::inspectors::networks
