// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/weights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "awry/inspectors/networks/model_config.h"

namespace awry::inspectors::networks {
namespace {

using Shape = std::vector<std::int64_t>;

class TensorFinder {
 public:
  TensorFinder(const TensorList& tensors, std::string_view prefix, const std::filesystem::path& folder)
      : tensors_(tensors), folder_(folder.string()) {
    // A model saved with a head on top calls its encoder "bert."; saved alone it has no prefix.
    const auto has_prefix = [&](const auto& entry) { return entry.first.starts_with(prefix); };
    if (std::any_of(tensors.begin(), tensors.end(), has_prefix)) prefix_ = prefix;
  }

  TensorView get(const std::string& name, const Shape& wanted) {
    const TensorView* const tensor = find(name);
    if (tensor == nullptr) {
      refuse(ErrorKind::kNotFound, fmt::format("tensor '{}' is missing", prefix_ + name));
      return {};
    }
    if (tensor->shape != wanted) {
      refuse(ErrorKind::kInvalid,
             fmt::format("tensor '{}' is {}, but the configuration wants {}", prefix_ + name,
                         fmt::join(tensor->shape, "x"), fmt::join(wanted, "x")));
      return {};
    }
    if (tensor->type == DataType::kOther) {
      refuse(ErrorKind::kUnsupported,
             fmt::format("tensor '{}' is neither f32, f16 nor bf16", prefix_ + name));
    }
    return *tensor;
  }
  Affine affine(const std::string& name, std::int64_t out, std::int64_t in) {
    return {get(name + ".weight", {out, in}), get(name + ".bias", {out})};
  }
  Affine norm(const std::string& name, std::int64_t width) {
    return {get(name + ".weight", {width}), get(name + ".bias", {width})};
  }
  bool has(const std::string& name) const { return find(name) != nullptr; }
  const std::optional<Error>& error() const { return error_; }

 private:
  const TensorView* find(const std::string& name) const {
    if (const auto found = tensors_.find(prefix_ + name); found != tensors_.end()) return &found->second;
    // Models converted from TensorFlow call the scale and offset of a norm gamma and beta.
    std::string old = prefix_ + name;
    if (old.ends_with("LayerNorm.weight")) old.replace(old.size() - 6, 6, "gamma");
    if (old.ends_with("LayerNorm.bias")) old.replace(old.size() - 4, 4, "beta");
    const auto found = tensors_.find(old);
    return found == tensors_.end() ? nullptr : &found->second;
  }
  void refuse(ErrorKind kind, std::string why) {
    if (error_) return;
    error_ = Error{.kind = kind,
                   .what = "cannot use the weights of model",
                   .input = folder_,
                   .why = std::move(why),
                   .hint = "config.json and the weights must be of the same model; download both again."};
  }

  const TensorList& tensors_;
  std::string prefix_, folder_;
  std::optional<Error> error_;
};

// The names inside one layer of BERT and RoBERTa, and of DistilBERT.
struct LayerNames {
  std::string_view query, key, value, attention_output, attention_norm, up, down, output_norm;
};
constexpr LayerNames kBertNames = {
    "attention.self.query",       "attention.self.key", "attention.self.value", "attention.output.dense",
    "attention.output.LayerNorm", "intermediate.dense", "output.dense",         "output.LayerNorm"};
constexpr LayerNames kDistilBertNames = {"attention.q_lin",   "attention.k_lin",  "attention.v_lin",
                                         "attention.out_lin", "sa_layer_norm",    "ffn.lin1",
                                         "ffn.lin2",          "output_layer_norm"};

EncoderWeights bert_weights(TensorFinder& find, const EncoderShape& shape, std::int64_t layers) {
  const bool distilled = shape.family == Family::kDistilBert;
  const LayerNames& names = distilled ? kDistilBertNames : kBertNames;
  const std::int64_t hidden = shape.hidden, inner = shape.intermediate;
  EncoderWeights weights;
  weights.words = find.get("embeddings.word_embeddings.weight", {shape.vocabulary, hidden});
  weights.positions = find.get("embeddings.position_embeddings.weight", {shape.positions, hidden});
  if (!distilled) {
    weights.token_types = find.get("embeddings.token_type_embeddings.weight", {shape.token_types, hidden});
  }
  weights.embedding_norm = find.norm("embeddings.LayerNorm", hidden);
  for (std::int64_t i = 0; i < layers && !find.error(); ++i) {
    const auto name = [&](std::string_view part) {
      return fmt::format("{}.layer.{}.{}", distilled ? "transformer" : "encoder", i, part);
    };
    weights.layers.push_back({.query = find.affine(name(names.query), hidden, hidden),
                              .key = find.affine(name(names.key), hidden, hidden),
                              .value = find.affine(name(names.value), hidden, hidden),
                              .attention_output = find.affine(name(names.attention_output), hidden, hidden),
                              .attention_norm = find.norm(name(names.attention_norm), hidden),
                              .up = find.affine(name(names.up), inner, hidden),
                              .down = find.affine(name(names.down), hidden, inner),
                              .output_norm = find.norm(name(names.output_norm), hidden)});
  }
  return weights;
}

EncoderWeights t5_weights(TensorFinder& find, const EncoderShape& shape, std::int64_t layers) {
  const std::int64_t hidden = shape.hidden, inner = shape.intermediate, wide = shape.heads * shape.head_width;
  EncoderWeights weights;
  const std::string own_words = "encoder.embed_tokens.weight";
  weights.words =
      find.get(find.has("shared.weight") ? "shared.weight" : own_words, {shape.vocabulary, hidden});
  weights.relative_bias = find.get("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
                                   {shape.relative_buckets, shape.heads});
  weights.final_norm.weight = find.get("encoder.final_layer_norm.weight", {hidden});
  for (std::int64_t i = 0; i < layers && !find.error(); ++i) {
    const auto matrix = [&](std::string_view part, std::int64_t out, std::int64_t in) {
      return Affine{.weight = find.get(fmt::format("encoder.block.{}.layer.{}.weight", i, part), {out, in})};
    };
    const auto norm = [&](std::string_view part) {
      return Affine{.weight = find.get(fmt::format("encoder.block.{}.layer.{}.weight", i, part), {hidden})};
    };
    LayerWeights layer = {.query = matrix("0.SelfAttention.q", wide, hidden),
                          .key = matrix("0.SelfAttention.k", wide, hidden),
                          .value = matrix("0.SelfAttention.v", wide, hidden),
                          .attention_output = matrix("0.SelfAttention.o", hidden, wide),
                          .attention_norm = norm("0.layer_norm"),
                          .down = matrix("1.DenseReluDense.wo", hidden, inner),
                          .output_norm = norm("1.layer_norm")};
    if (shape.gated) {
      layer.up = matrix("1.DenseReluDense.wi_0", inner, hidden);
      layer.gate = matrix("1.DenseReluDense.wi_1", inner, hidden);
    } else {
      layer.up = matrix("1.DenseReluDense.wi", inner, hidden);
    }
    weights.layers.push_back(std::move(layer));
  }
  return weights;
}

}  // namespace

Result<EncoderWeights> find_encoder_weights(const TensorList& tensors, const EncoderShape& shape,
                                            std::int64_t layers, const std::filesystem::path& folder) {
  if (layers < 0 || layers > shape.layers) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot cut the model",
                 .input = folder.string(),
                 .why = fmt::format("layer {} was asked for, and it has {}", layers, shape.layers)});
  }
  const bool is_t5 = shape.family == Family::kT5;
  TensorFinder find(tensors, is_t5 ? "" : fmt::format("{}.", family_name(shape.family)), folder);
  EncoderWeights weights = is_t5 ? t5_weights(find, shape, layers) : bert_weights(find, shape, layers);
  if (find.error()) return fail(*find.error());
  return weights;
}

}  // namespace awry::inspectors::networks
