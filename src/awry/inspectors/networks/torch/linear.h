// SPDX-License-Identifier: Apache-2.0
// y = x W^T + b in single precision, or with weights of eight bits. Only torch/ includes this.
#pragma once

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/native/quantized/PackedParams.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/quantize_per_channel.h>
#include <ATen/ops/zeros.h>

#include <span>

#include "awry/inspectors/networks/encoder_module.h"

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
    if (precision == Precision::kInt8) pack();
  }

  at::Tensor operator()(const at::Tensor& input) const {
    if (packed_) return packed_->apply_dynamic(input.contiguous(), /*reduce_range=*/false);
    return bias_.defined() ? at::addmm(bias_, input, weight_.t()) : at::mm(input, weight_.t());
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
  c10::intrusive_ptr<LinearPackedParamsBase> packed_;
};

}  // namespace awry::inspectors::networks
