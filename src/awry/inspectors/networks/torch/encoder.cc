// SPDX-License-Identifier: Apache-2.0
// The forward pass of BERT, DistilBERT, RoBERTa and T5 encoders: the only source that sees libtorch.
//
// Texts stand one after the other without padding. What works on single tokens (nearly all of the
// arithmetic) takes all of them as one matrix; attention looks at each text by itself.
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/softmax.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "awry/inspectors/networks/encoder_module.h"
#include "awry/inspectors/networks/torch/linear.h"

namespace awry::inspectors::networks {
namespace {

using at::Tensor;

struct Norm {
  Tensor weight, bias;
};

struct Layer {
  Linear query_key_value, attention_output, up, gate, down;
  Norm attention_norm, output_norm;
};

Norm make_norm(const Affine& affine) {
  return {to_f32(affine.weight), affine.bias.exists() ? to_f32(affine.bias) : Tensor()};
}

class TorchEncoder final : public TextEncoder {
 public:
  explicit TorchEncoder(const EncoderSetup& setup)
      : shape_(setup.shape),
        words_(view_of(setup.weights.words)),
        embedding_norm_(is_t5() ? Norm() : make_norm(setup.weights.embedding_norm)) {
    if (setup.threads > 0) at::set_num_threads(setup.threads);
    if (!is_t5()) positions_ = to_f32(setup.weights.positions);
    if (setup.weights.token_types.exists()) token_type_ = to_f32(setup.weights.token_types).select(0, 0);
    if (is_t5()) {
      relative_bias_ = to_f32(setup.weights.relative_bias);
      final_norm_ = make_norm(setup.weights.final_norm);
    }
    for (const LayerWeights& layer : setup.weights.layers) {
      const Affine* const attended[] = {&layer.query, &layer.key, &layer.value};
      layers_.push_back({.query_key_value = Linear(attended, setup.precision),
                         .attention_output = Linear(layer.attention_output, setup.precision),
                         .up = Linear(layer.up, setup.precision),
                         .gate = shape_.gated ? Linear(layer.gate, setup.precision) : Linear(),
                         .down = Linear(layer.down, setup.precision),
                         .attention_norm = make_norm(layer.attention_norm),
                         .output_norm = make_norm(layer.output_norm)});
    }
  }

  std::string encode(std::span<const std::int32_t> tokens, std::span<const std::int32_t> lengths,
                     std::int64_t layers, std::span<float> states) noexcept override {
    try {
      const c10::InferenceMode no_gradients;
      check(tokens, lengths, layers, states);
      if (tokens.empty()) return {};
      Tensor hidden = embed(tokens, lengths);
      for (std::int64_t i = 0; i < layers; ++i) {
        hidden = is_t5() ? t5_layer(layers_[i], hidden, lengths) : bert_layer(layers_[i], hidden, lengths);
      }
      if (is_t5()) hidden = root_mean_square_norm(hidden, final_norm_.weight);
      const Tensor target = at::from_blob(states.data(), hidden.sizes());
      target.copy_(hidden);
      return {};
    } catch (const c10::Error& error) {
      return error.what_without_backtrace();
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  std::string multiply(std::span<const float> rows, std::span<const float> columns, std::size_t width,
                       std::span<float> products) noexcept override {
    try {
      const c10::InferenceMode no_gradients;
      const auto side = static_cast<std::int64_t>(width);
      const auto height = static_cast<std::int64_t>(rows.size() / width);
      const auto count = static_cast<std::int64_t>(columns.size() / width);
      if (products.size() != static_cast<std::size_t>(height * count)) return "the product has another size";
      networks::multiply({height, count, side}, {rows.data(), side}, {columns.data(), side},
                         Right::kTransposed, products.data(), count);
      return {};
    } catch (const c10::Error& error) {
      return error.what_without_backtrace();
    } catch (const std::exception& error) {
      return error.what();
    }
  }

 private:
  bool is_t5() const { return shape_.family == Family::kT5; }
  std::int64_t wide() const { return shape_.heads * shape_.head_width; }

  void check(std::span<const std::int32_t> tokens, std::span<const std::int32_t> lengths, std::int64_t layers,
             std::span<float> states) const {
    std::size_t total = 0;
    for (const std::int32_t length : lengths) {
      if (length < 1) throw std::invalid_argument("a text has no tokens");
      total += static_cast<std::size_t>(length);
    }
    const bool known = std::all_of(tokens.begin(), tokens.end(), [&](std::int32_t token) {
      return token >= 0 && token < shape_.vocabulary;
    });
    if (!known) throw std::invalid_argument("a token is not in the model's vocabulary");
    if (total != tokens.size() || states.size() != total * static_cast<std::size_t>(shape_.hidden) ||
        layers < 0 || layers > static_cast<std::int64_t>(layers_.size())) {
      throw std::invalid_argument("tokens, lengths, layers and states do not fit together");
    }
  }

  Tensor embed(std::span<const std::int32_t> tokens, std::span<const std::int32_t> lengths) const {
    const Tensor ids = at::from_blob(const_cast<std::int32_t*>(tokens.data()),
                                     {static_cast<std::int64_t>(tokens.size())}, at::kInt);
    Tensor hidden = words_.index_select(0, ids).to(at::kFloat);
    if (is_t5()) return hidden;
    hidden.add_(positions_.index_select(0, position_numbers(tokens, lengths)));
    if (token_type_.defined()) hidden.add_(token_type_);
    return layer_norm(hidden, embedding_norm_);
  }

  // RoBERTa counts from behind its padding token and does not count padding, even where a text spells it out.
  Tensor position_numbers(std::span<const std::int32_t> tokens, std::span<const std::int32_t> lengths) const {
    const bool skips = shape_.family == Family::kRoberta;
    Tensor numbers = at::empty({static_cast<std::int64_t>(tokens.size())}, at::kInt);
    auto* out = numbers.data_ptr<std::int32_t>();
    std::size_t at = 0;
    for (const std::int32_t length : lengths) {
      std::int64_t next = skips ? shape_.padding_token + 1 : 0;
      for (std::int32_t i = 0; i < length; ++i, ++at) {
        const bool is_padding = skips && tokens[at] == shape_.padding_token;
        const std::int64_t number = is_padding ? shape_.padding_token : next++;
        if (number >= shape_.positions)
          throw std::invalid_argument("a text is longer than the model can read");
        out[at] = static_cast<std::int32_t>(number);
      }
    }
    return numbers;
  }

  Tensor layer_norm(const Tensor& hidden, const Norm& norm) const {
    return at::layer_norm(hidden, {shape_.hidden}, norm.weight, norm.bias, shape_.norm_epsilon);
  }

  Tensor root_mean_square_norm(const Tensor& hidden, const Tensor& weight) const {
    const Tensor scale = at::rsqrt(hidden.square().mean(-1, true).add_(shape_.norm_epsilon));
    return hidden.mul(scale).mul_(weight);
  }

  Tensor activate(const Tensor& values) const {
    switch (shape_.activation) {
      case Activation::kGelu:
        return at::gelu(values);
      case Activation::kGeluTanh:
        return at::gelu(values, "tanh");
      case Activation::kRelu:
        return values.relu();
      case Activation::kSilu:
        return values.sigmoid().mul_(values);
    }
    return values;
  }

  Tensor bert_layer(const Layer& layer, const Tensor& hidden, std::span<const std::int32_t> lengths) const {
    const double scale = 1.0 / std::sqrt(static_cast<double>(shape_.head_width));
    const Tensor attended = attend(layer.query_key_value(hidden), lengths, scale);
    const Tensor middle = layer_norm(layer.attention_output(attended).add_(hidden), layer.attention_norm);
    return layer_norm(layer.down(activate(layer.up(middle))).add_(middle), layer.output_norm);
  }

  Tensor t5_layer(const Layer& layer, const Tensor& hidden, std::span<const std::int32_t> lengths) const {
    const Tensor before = root_mean_square_norm(hidden, layer.attention_norm.weight);
    const Tensor attended = attend(layer.query_key_value(before), lengths, 1.0);
    const Tensor middle = layer.attention_output(attended).add_(hidden);
    const Tensor narrow = root_mean_square_norm(middle, layer.output_norm.weight);
    Tensor inner = activate(layer.up(narrow));
    if (shape_.gated) inner.mul_(layer.gate(narrow));
    return layer.down(inner).add_(middle);
  }

  Tensor attend(const Tensor& query_key_value, std::span<const std::int32_t> lengths, double scale) const {
    Tensor attended = at::empty({query_key_value.size(0), wide()});
    std::vector<std::int64_t> starts;
    std::int64_t row = 0;
    for (const std::int32_t length : lengths) {
      starts.push_back(row);
      row += length;
    }
    const auto* const from = query_key_value.data_ptr<float>();
    auto* const to = attended.data_ptr<float>();
    at::parallel_for(0, static_cast<std::int64_t>(lengths.size()), 1, [&](std::int64_t i, std::int64_t last) {
      const c10::InferenceMode no_gradients;  // each thread has its own
      for (; i < last; ++i) {
        attend_text(from + starts[i] * 3 * wide(), lengths[i], static_cast<float>(scale),
                    to + starts[i] * wide());
      }
    });
    return attended;
  }

  // A row of `from` is a token's query, key and value, each with its heads side by side.
  void attend_text(const float* from, std::int64_t length, float scale, float* to) const {
    const std::int64_t stride = 3 * wide(), deep = shape_.head_width, cells = length * length;
    Tensor weights = at::empty({shape_.heads, length, length});
    for (std::int64_t head = 0; head < shape_.heads; ++head) {
      const float* const query = from + head * deep;
      networks::multiply({length, length, deep}, {query, stride}, {query + wide(), stride},
                         Right::kTransposed, weights.data_ptr<float>() + head * cells, length, scale);
    }
    if (is_t5()) weights.add_(relative_bias(length));
    weights = at::softmax(weights, -1);
    for (std::int64_t head = 0; head < shape_.heads; ++head) {
      networks::multiply({length, deep, length}, {weights.data_ptr<float>() + head * cells, length},
                         {from + 2 * wide() + head * deep, stride}, Right::kAsItIs, to + head * deep, wide());
    }
  }

  // heads x length x length: what T5 adds for the distance of two tokens. Near distances have a bucket each,
  // far ones share buckets that grow with the logarithm; one half of the buckets looks ahead.
  Tensor relative_bias(std::int64_t length) const {
    Tensor buckets = at::empty({length * length}, at::kInt);
    auto* out = buckets.data_ptr<std::int32_t>();
    for (std::int64_t i = 0; i < length; ++i) {
      for (std::int64_t j = 0; j < length; ++j) *out++ = bucket_of(j - i);
    }
    return relative_bias_.index_select(0, buckets).view({length, length, shape_.heads}).permute({2, 0, 1});
  }

  std::int32_t bucket_of(std::int64_t distance) const {
    const std::int64_t half = shape_.relative_buckets / 2, near = half / 2;
    std::int64_t bucket = distance > 0 ? half : 0;
    const std::int64_t far = std::abs(distance);
    if (far < near) {
      bucket += far;
    } else {
      // In single precision, as the models were trained.
      const float share = std::log(static_cast<float>(far) / static_cast<float>(near)) /
                          static_cast<float>(std::log(static_cast<double>(shape_.relative_distance) /
                                                      static_cast<double>(near)));
      bucket += std::min<std::int64_t>(
          near + static_cast<std::int64_t>(share * static_cast<float>(half - near)), half - 1);
    }
    return static_cast<std::int32_t>(bucket);
  }

  EncoderShape shape_;
  Tensor words_, positions_, token_type_, relative_bias_;
  Norm embedding_norm_, final_norm_;
  std::vector<Layer> layers_;
};

std::unique_ptr<TextEncoder> make_encoder(const EncoderSetup& setup, std::string& error) {
  try {
    const c10::InferenceMode no_gradients;
    return std::make_unique<TorchEncoder>(setup);
  } catch (const c10::Error& failure) {
    error = failure.what_without_backtrace();
  } catch (const std::exception& failure) {
    error = failure.what();
  }
  return nullptr;
}

}  // namespace
}  // namespace awry::inspectors::networks

extern "C" __attribute__((visibility("default"))) const awry::inspectors::networks::ModuleInterface*
awry_networks_module() {
  using namespace awry::inspectors::networks;
  static const ModuleInterface kInterface = {
      .version = kModuleVersion, .library = "libtorch", .make_encoder = make_encoder};
  return &kInterface;
}
