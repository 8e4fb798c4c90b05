// SPDX-License-Identifier: Apache-2.0
// Model folders of every family with tiny dimensions, real tokenizer files and weights that follow from the
// tensors' names (tests/networks/reference.py makes the same numbers). Every number is exact in f32, f16 and
// bf16, so all three must give the same states.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/inspectors/networks/encoder_module.h"

namespace awry::inspectors::networks {

inline std::filesystem::path networks_test_folder() {
  return std::filesystem::path(AWRY_MODULE_DIR) / "../../../../tests/networks";
}

struct MadeTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

inline MadeTensor make_tensor(std::string name, std::vector<std::int64_t> shape) {
  std::uint64_t state = 0xCBF29CE484222325ULL;
  for (const char c : name) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  const bool is_scale = name.ends_with("norm.weight") || name.ends_with("Norm.weight");
  std::int64_t count = 1;
  for (const std::int64_t side : shape) count *= side;
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) {
    state += 0x9E3779B97F4A7C15ULL;
    std::uint64_t mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    const int step = static_cast<int>(mixed >> 57) - 64;
    values.push_back(is_scale ? 1 + static_cast<float>(step >> 1) / 128 : static_cast<float>(step) / 128);
  }
  return {std::move(name), std::move(shape), std::move(values)};
}

struct MadeModel {
  Json config;
  std::vector<std::string> tokenizer_files;
  std::vector<MadeTensor> tensors;
};

inline MadeModel make_bert_like(const std::string& family) {
  const bool distilled = family == "distilbert", is_roberta = family == "roberta";
  // One family is wide enough for the product of tiles that some processors have.
  const int wide = family == "bert" ? 32 : 16, inner = 2 * wide;
  const int vocabulary = is_roberta ? 384 : 271, positions = is_roberta ? 514 : 512;
  MadeModel model;
  if (distilled) {
    model.config = {{"model_type", "distilbert"}, {"dim", wide},         {"n_layers", 3}, {"n_heads", 2},
                    {"hidden_dim", inner},        {"activation", "gelu"}};
  } else {
    model.config = {{"model_type", family},
                    {"hidden_size", wide},
                    {"num_hidden_layers", 3},
                    {"num_attention_heads", 2},
                    {"intermediate_size", inner},
                    {"hidden_act", "gelu"},
                    {"type_vocab_size", is_roberta ? 1 : 2},
                    {"pad_token_id", is_roberta ? 1 : 0},
                    {"layer_norm_eps", is_roberta ? 1e-5 : 1e-12}};
  }
  model.config["vocab_size"] = vocabulary;
  model.config["max_position_embeddings"] = positions;
  model.tokenizer_files = is_roberta ? std::vector<std::string>{"vocab.json", "merges.txt"}
                                     : std::vector<std::string>{"vocab.txt"};
  const auto add = [&](const std::string& name, std::vector<std::int64_t> shape) {
    model.tensors.push_back(make_tensor(family + "." + name, std::move(shape)));
  };
  const auto affine = [&](const std::string& name, std::int64_t out, std::int64_t in) {
    add(name + ".weight", in > 0 ? std::vector{out, in} : std::vector{out});
    add(name + ".bias", {out});
  };
  add("embeddings.word_embeddings.weight", {vocabulary, wide});
  add("embeddings.position_embeddings.weight", {positions, wide});
  if (!distilled) add("embeddings.token_type_embeddings.weight", {is_roberta ? 1 : 2, wide});
  affine("embeddings.LayerNorm", wide, 0);
  for (int i = 0; i < 3; ++i) {
    const std::string stem = (distilled ? "transformer.layer." : "encoder.layer.") + std::to_string(i) + ".";
    const auto pick = [&](const char* full, const char* small) { return stem + (distilled ? small : full); };
    affine(pick("attention.self.query", "attention.q_lin"), wide, wide);
    affine(pick("attention.self.key", "attention.k_lin"), wide, wide);
    affine(pick("attention.self.value", "attention.v_lin"), wide, wide);
    affine(pick("attention.output.dense", "attention.out_lin"), wide, wide);
    affine(pick("attention.output.LayerNorm", "sa_layer_norm"), wide, 0);
    affine(pick("intermediate.dense", "ffn.lin1"), inner, wide);
    affine(pick("output.dense", "ffn.lin2"), wide, inner);
    affine(pick("output.LayerNorm", "output_layer_norm"), wide, 0);
  }
  return model;
}

inline MadeModel make_t5(const std::string& family) {
  const bool gated = family == "mt5";
  const int vocabulary = 153;
  MadeModel model{.config = {{"model_type", family},
                             {"d_model", 16},
                             {"num_layers", 3},
                             {"num_heads", 3},
                             {"d_kv", 4},
                             {"d_ff", 24},
                             {"vocab_size", vocabulary},
                             {"relative_attention_num_buckets", 8},
                             {"relative_attention_max_distance", 20},
                             {"feed_forward_proj", gated ? "gated-gelu" : "relu"},
                             {"layer_norm_epsilon", 1e-6}},
                  .tokenizer_files = {"spiece.model"}};
  const auto add = [&](const std::string& name, std::vector<std::int64_t> shape) {
    model.tensors.push_back(make_tensor(name, std::move(shape)));
  };
  add("shared.weight", {vocabulary, 16});
  add("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", {8, 3});
  add("encoder.final_layer_norm.weight", {16});
  for (int i = 0; i < 3; ++i) {
    const std::string stem = "encoder.block." + std::to_string(i) + ".layer.";
    for (const char* const part : {"q", "k", "v"})
      add(stem + "0.SelfAttention." + part + ".weight", {12, 16});
    add(stem + "0.SelfAttention.o.weight", {16, 12});
    add(stem + "0.layer_norm.weight", {16});
    add(stem + "1.layer_norm.weight", {16});
    if (gated) add(stem + "1.DenseReluDense.wi_1.weight", {24, 16});
    add(stem + "1.DenseReluDense." + (gated ? "wi_0" : "wi") + ".weight", {24, 16});
    add(stem + "1.DenseReluDense.wo.weight", {16, 24});
  }
  return model;
}

inline MadeModel make_model(const std::string& family) {
  return family.ends_with("t5") ? make_t5(family) : make_bert_like(family);
}

// ---- writing ----

inline std::uint16_t half_of(float value) {  // for numbers that are exact in f16
  if (value == 0) return 0;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t exponent = ((bits >> 23) & 0xFF) - 127 + 15;
  return static_cast<std::uint16_t>((bits >> 16 & 0x8000) | exponent << 10 | (bits >> 13 & 0x3FF));
}

inline std::string safetensors_of(std::span<const MadeTensor> tensors, DataType type) {
  Json header = {{"__metadata__", {{"format", "pt"}}}};
  std::string numbers;
  for (const MadeTensor& tensor : tensors) {
    const std::size_t begin = numbers.size();
    for (const float value : tensor.values) {
      if (type == DataType::kF32) {
        numbers.append(reinterpret_cast<const char*>(&value), 4);
      } else {
        const auto top = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
        const std::uint16_t narrow = type == DataType::kF16 ? half_of(value) : top;
        numbers.append(reinterpret_cast<const char*>(&narrow), 2);
      }
    }
    header[tensor.name] = {{"dtype", type == DataType::kF32   ? "F32"
                                     : type == DataType::kF16 ? "F16"
                                                              : "BF16"},
                           {"shape", tensor.shape},
                           {"data_offsets", {begin, numbers.size()}}};
  }
  std::string text = dump_json(header);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t size = text.size();
  return std::string(reinterpret_cast<const char*>(&size), 8) + text + numbers;
}

inline void must(const Result<void>& result) {
  ASSERT_TRUE(result) << result.error().message();
}

// Everything but the weights.
inline void write_frame(const MadeModel& model, const std::filesystem::path& folder) {
  must(make_folder(folder));
  must(write_json_file(folder / "config.json", model.config));
  for (const std::string& file : model.tokenizer_files) {
    std::filesystem::copy_file(networks_test_folder() / "tokenizers" / file, folder / file,
                               std::filesystem::copy_options::overwrite_existing);
  }
}

inline void write_model(const MadeModel& model, const std::filesystem::path& folder,
                        DataType type = DataType::kF32) {
  write_frame(model, folder);
  must(write_file(folder / "model.safetensors", safetensors_of(model.tensors, type)));
}

}  // namespace awry::inspectors::networks
