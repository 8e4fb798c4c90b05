// SPDX-License-Identifier: Apache-2.0
// y = x W^T + b in single precision, or with weights of eight bits. Only torch/ includes this.
#pragma once

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/native/quantized/PackedParams.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/quantize_per_channel.h>
#include <ATen/ops/zeros.h>

#include <optional>
#include <span>

#include "awry/inspectors/networks/encoder_module.h"
#include "awry/inspectors/networks/torch/single_product.h"
#include "awry/inspectors/networks/torch/tile_product.h"

namespace awry::inspectors::networks {

// The numbers where they lie in the mapped file, of whatever type they are there.
inline at::Tensor view_of(const TensorView& view) {
  const auto type = view.type == DataType::kF32   ? at::kFloat
                    : view.type == DataType::kF16 ? at::kHalf
                                                  : at::kBFloat16;
  return at::from_blob(const_cast<std::byte*>(view.data), view.shape, type);
}

// As floats: still where they lie if they are floats already, and stand where floats may.
inline at::Tensor to_f32(const TensorView& view) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(view.data) % alignof(float) == 0;
  const at::Tensor tensor = view_of(view);
  return view.type == DataType::kF32 && aligned ? tensor : tensor.to(at::kFloat, false, /*copy=*/true);
}

class Linear {
 public:
  Linear() = default;
  Linear(const Affine& affine, Precision precision) {
    const Affine* const one[] = {&affine};
    *this = Linear(one, precision);
  }
  // Several that read the same input, side by side.
  Linear(std::span<const Affine* const> parts, Precision precision) {
    std::vector<at::Tensor> weights, biases;
    for (const Affine* part : parts) {
      weights.push_back(to_f32(part->weight));
      if (part->bias.exists()) biases.push_back(to_f32(part->bias));
    }
    weight_ = weights.size() == 1 ? weights.front() : at::cat(weights);
    if (!biases.empty()) bias_ = biases.size() == 1 ? biases.front() : at::cat(biases);
    outputs_ = weight_.size(0);
    if (precision == Precision::kInt8) {
      pack();
    } else if (TileProduct::is_possible(weight_.size(1), outputs_)) {
      tiles_.emplace(weight_.contiguous().data_ptr<float>(), weight_.size(1), outputs_);
      weight_ = at::Tensor();
    }
  }

  at::Tensor operator()(const at::Tensor& input) const {
    if (packed_) return packed_->apply_dynamic(input.contiguous(), /*reduce_range=*/false);
    const at::Tensor rows = input.contiguous();
    const std::int64_t count = rows.size(0), depth = rows.size(1);
    const at::Tensor output = at::empty({count, outputs_});
    auto* const out = output.data_ptr<float>();
    if (tiles_) {
      tiles_->multiply(rows.data_ptr<float>(), count, bias_.defined() ? bias_.data_ptr<float>() : nullptr,
                       out);
    } else {
      if (bias_.defined()) output.copy_(bias_.expand({count, outputs_}));
      multiply({count, outputs_, depth}, {rows.data_ptr<float>(), depth}, {weight_.data_ptr<float>(), depth},
               Right::kTransposed, out, outputs_, 1, bias_.defined() ? 1 : 0);
    }
    return output;
  }

 private:
  // Eight bits for every row of the weights by itself; the input is quantised as it comes.
  void pack() {
    constexpr float kMost = 127;
    const at::Tensor scales = weight_.abs().amax(1).clamp_min(1e-12).div_(kMost).to(at::kDouble);
    const at::Tensor zeros = at::zeros({weight_.size(0)}, at::kLong);
    const at::Tensor small = at::quantize_per_channel(weight_.contiguous(), scales, zeros, 0, at::kQInt8);
    const auto bias = bias_.defined() ? c10::optional<at::Tensor>(bias_) : c10::nullopt;
    at::globalContext().setQEngine(at::QEngine::ONEDNN);
    packed_ = c10::Dispatcher::singleton()
                  .findSchemaOrThrow("quantized::linear_prepack", "")
                  .typed<c10::intrusive_ptr<LinearPackedParamsBase>(at::Tensor, c10::optional<at::Tensor>)>()
                  .call(small, bias);
    weight_ = bias_ = at::Tensor();
  }

  at::Tensor weight_, bias_;
  std::int64_t outputs_ = 0;
  std::optional<TileProduct> tiles_;
  c10::intrusive_ptr<LinearPackedParamsBase> packed_;
};

}  // namespace awry::inspectors::networks
