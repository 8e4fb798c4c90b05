// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/model_config.h"

#include <fmt/format.h>

#include <optional>

#include "awry/base/files.h"
#include "awry/inspectors/networks/small_json.h"

namespace awry::inspectors::networks {
namespace {

// Above every published encoder, and small enough that no product of three of them overflows.
constexpr std::int64_t kMaxSide = 1 << 20, kMaxLayers = 512;

class ConfigReader {
 public:
  ConfigReader(const Json& json, std::string source) : json_(json), source_(std::move(source)) {}

  // The first of these names that is there, as a whole number of 1 or more.
  std::int64_t size(std::initializer_list<std::string_view> names, std::int64_t limit = kMaxSide,
                    std::optional<std::int64_t> otherwise = {}) {
    const Json* const value = find(names);
    if (value == nullptr) {
      if (!otherwise) refuse(fmt::format("'{}' is missing", *names.begin()));
      return otherwise.value_or(1);
    }
    if (!value->is_number_integer() || value->get<std::int64_t>() < 1 || value->get<std::int64_t>() > limit) {
      refuse(fmt::format("'{}' is not a whole number from 1 to {}", *names.begin(), limit));
      return 1;
    }
    return value->get<std::int64_t>();
  }

  double number(std::string_view name, double otherwise) {
    const Json* const value = find({name});
    if (value == nullptr) return otherwise;
    if (!value->is_number() || !(value->get<double>() >= 0) || value->get<double>() > 1) {
      refuse(fmt::format("'{}' is not a number from 0 to 1", name));
      return otherwise;
    }
    return value->get<double>();
  }

  std::string text(std::initializer_list<std::string_view> names, std::string_view otherwise) {
    const Json* const value = find(names);
    if (value == nullptr) return std::string(otherwise);
    if (!value->is_string()) {
      refuse(fmt::format("'{}' is not a text", *names.begin()));
      return std::string(otherwise);
    }
    return value->get<std::string>();
  }

  void refuse(std::string why, ErrorKind kind = ErrorKind::kInvalid) {
    if (error_) return;
    error_ = Error{.kind = kind, .what = "cannot use model configuration", .input = source_, .why = why};
    if (kind == ErrorKind::kUnsupported) {
      error_->hint = "awry knows the encoders of BERT, DistilBERT, RoBERTa, T5 and mT5.";
    }
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  const Json* find(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      const auto found = json_.find(name);
      if (found != json_.end() && !found->is_null()) return &*found;
    }
    return nullptr;
  }

  const Json& json_;
  std::string source_;
  std::optional<Error> error_;
};

Activation activation_called(const std::string& name, ConfigReader& read) {
  if (name == "gelu") return Activation::kGelu;
  if (name == "gelu_new" || name == "gelu_pytorch_tanh") return Activation::kGeluTanh;
  if (name == "relu") return Activation::kRelu;
  if (name == "silu" || name == "swish") return Activation::kSilu;
  read.refuse(fmt::format("the activation '{}' is not one awry computes", name), ErrorKind::kUnsupported);
  return Activation::kGelu;
}

EncoderShape read_distilbert(ConfigReader& read) {
  return {.family = Family::kDistilBert,
          .hidden = read.size({"dim"}),
          .layers = read.size({"n_layers"}, kMaxLayers),
          .heads = read.size({"n_heads"}),
          .intermediate = read.size({"hidden_dim"}),
          .vocabulary = read.size({"vocab_size"}, 1 << 24),
          .positions = read.size({"max_position_embeddings"}),
          .norm_epsilon = 1e-12F,
          .activation = activation_called(read.text({"activation"}, "gelu"), read)};
}

EncoderShape read_bert(Family family, ConfigReader& read) {
  if (read.text({"position_embedding_type"}, "absolute") != "absolute") {
    read.refuse("its positions are not absolute", ErrorKind::kUnsupported);
  }
  return {.family = family,
          .hidden = read.size({"hidden_size"}),
          .layers = read.size({"num_hidden_layers"}, kMaxLayers),
          .heads = read.size({"num_attention_heads"}),
          .intermediate = read.size({"intermediate_size"}),
          .vocabulary = read.size({"vocab_size"}, 1 << 24),
          .positions = read.size({"max_position_embeddings"}),
          .token_types = read.size({"type_vocab_size"}, kMaxSide, 2),
          .norm_epsilon = static_cast<float>(read.number("layer_norm_eps", 1e-12)),
          .activation = activation_called(read.text({"hidden_act"}, "gelu"), read),
          .padding_token = family == Family::kRoberta ? read.size({"pad_token_id"}, kMaxSide, 1) : 0};
}

EncoderShape read_t5(ConfigReader& read) {
  EncoderShape shape = {.family = Family::kT5,
                        .hidden = read.size({"d_model"}),
                        .layers = read.size({"num_layers"}, kMaxLayers),
                        .heads = read.size({"num_heads"}),
                        .head_width = read.size({"d_kv"}),
                        .intermediate = read.size({"d_ff"}),
                        .vocabulary = read.size({"vocab_size"}, 1 << 24),
                        .norm_epsilon = static_cast<float>(read.number("layer_norm_epsilon", 1e-6)),
                        .relative_buckets = read.size({"relative_attention_num_buckets"}, 4096, 32),
                        .relative_distance = read.size({"relative_attention_max_distance"}, kMaxSide, 128)};
  std::string feed_forward = read.text({"feed_forward_proj"}, "relu");
  if (feed_forward.starts_with("gated-")) {
    shape.gated = true;
    feed_forward.erase(0, 6);
    // The published files say "gated-gelu" and mean the tanh form.
    if (feed_forward == "gelu") feed_forward = "gelu_new";
  }
  shape.activation = activation_called(feed_forward, read);
  if (shape.relative_buckets < 4 || shape.relative_buckets % 2 != 0 ||
      shape.relative_distance <= shape.relative_buckets / 4) {
    read.refuse("its relative positions are not possible");
  }
  return shape;
}

}  // namespace

Result<Json> read_small_json(const std::filesystem::path& path) {
  AWRY_TRY_ASSIGN(const std::string text, read_file(path, kMaxSmallJson));
  return parse_json(text, path.string());
}

std::string_view family_name(Family family) {
  switch (family) {
    case Family::kBert:
      return "bert";
    case Family::kDistilBert:
      return "distilbert";
    case Family::kRoberta:
      return "roberta";
    case Family::kT5:
      return "t5";
  }
  return "";
}

Result<ModelConfig> read_model_config(const std::filesystem::path& path) {
  AWRY_TRY_ASSIGN(const Json json, read_small_json(path));
  ConfigReader read(json, path.string());
  if (!json.is_object()) read.refuse("it is no JSON object");
  ModelConfig config;
  if (!read.error()) {
    config.family_name = read.text({"model_type"}, "");
    if (config.family_name == "distilbert") {
      config.shape = read_distilbert(read);
    } else if (config.family_name == "bert") {
      config.shape = read_bert(Family::kBert, read);
    } else if (config.family_name == "roberta" || config.family_name == "xlm-roberta") {
      config.shape = read_bert(Family::kRoberta, read);
    } else if (config.family_name == "t5" || config.family_name == "mt5") {
      config.shape = read_t5(read);
    } else {
      read.refuse(config.family_name.empty() ? "'model_type' is missing"
                                             : fmt::format("'model_type' is '{}'", config.family_name),
                  ErrorKind::kUnsupported);
    }
  }
  EncoderShape& shape = config.shape;
  if (!read.error() && shape.family != Family::kT5) {
    if (shape.hidden % shape.heads != 0) {
      read.refuse(fmt::format("{} heads do not divide a width of {}", shape.heads, shape.hidden));
    }
    shape.head_width = shape.hidden / shape.heads;
  }
  if (shape.heads * shape.head_width > kMaxSide) read.refuse("its heads are together too wide");
  if (read.error()) return fail(*read.error());
  return config;
}

}  // namespace awry::inspectors::networks
