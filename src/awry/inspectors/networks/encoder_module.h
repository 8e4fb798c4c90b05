// SPDX-License-Identifier: Apache-2.0
// The wall between awry and libtorch.
//
// Torch loads some 300 shared libraries and needs most of a second to start, so awry never links it. What
// computes with it is a module of its own (torch/, libawry_networks.so), opened when the first text is to be
// encoded (load_module.h). Both sides see this header and nothing else of each other: names, shapes and
// formats are settled before the wall, the module only calculates. Nothing is thrown across.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace awry::inspectors::networks {

enum class DataType : std::uint8_t { kF32, kF16, kBf16, kOther };

// A tensor somewhere in a mapped file, row-major. Whoever maps the file keeps it mapped.
struct TensorView {
  DataType type = DataType::kOther;
  std::vector<std::int64_t> shape;
  const std::byte* data = nullptr;

  bool exists() const { return data != nullptr; }
};

enum class Family : std::uint8_t { kBert, kDistilBert, kRoberta, kT5 };
enum class Activation : std::uint8_t { kGelu, kGeluTanh, kRelu, kSilu };
enum class Precision : std::uint8_t { kF32, kInt8 };

struct EncoderShape {
  Family family = Family::kBert;
  std::int64_t hidden = 0, layers = 0, heads = 0, head_width = 0, intermediate = 0, vocabulary = 0;
  std::int64_t positions = 0;    // rows of the position table; 0: positions are relative
  std::int64_t token_types = 0;  // rows of the table that tells sentences apart; BERTScore uses the first
  float norm_epsilon = 0;
  Activation activation = Activation::kGelu;
  bool gated = false;                                        // the feed-forward part has a gate beside it
  std::int64_t relative_buckets = 0, relative_distance = 0;  // T5
  std::int64_t padding_token = 0;                            // RoBERTa counts positions from behind it
};

struct Affine {
  TensorView weight, bias;  // T5 has no biases
};

struct LayerWeights {
  Affine query, key, value, attention_output, attention_norm;
  Affine up, gate, down, output_norm;
};

struct EncoderWeights {
  TensorView words, positions, token_types;
  Affine embedding_norm;
  std::vector<LayerWeights> layers;
  TensorView relative_bias;  // T5
  Affine final_norm;         // T5
};

struct EncoderSetup {
  EncoderShape shape;
  EncoderWeights weights;
  Precision precision = Precision::kF32;
  int threads = 0;  // 0: as many as torch thinks best
};

class TextEncoder {
 public:
  virtual ~TextEncoder() = default;

  // The hidden states after the first `layers` layers, a row per token, into `states`. Texts stand one after
  // the other in `tokens`, without padding. Returns what went wrong, or "".
  virtual std::string encode(std::span<const std::int32_t> tokens, std::span<const std::int32_t> lengths,
                             std::int64_t layers, std::span<float> states) noexcept = 0;

  // products[i][j] = rows[i] . columns[j], each `width` numbers. Returns what went wrong, or "".
  virtual std::string multiply(std::span<const float> rows, std::span<const float> columns, std::size_t width,
                               std::span<float> products) noexcept = 0;
};

// What the module exports under kModuleEntry.
struct ModuleInterface {
  std::uint32_t version = 0;  // kModuleVersion of whoever built it: both sides must have the same header
  const char* library = "";   // "libtorch 1.13.1"
  std::unique_ptr<TextEncoder> (*make_encoder)(const EncoderSetup& setup, std::string& error) = nullptr;
};

inline constexpr std::uint32_t kModuleVersion = 1;
inline constexpr const char* kModuleEntry = "awry_networks_module";

}  // namespace awry::inspectors::networks
