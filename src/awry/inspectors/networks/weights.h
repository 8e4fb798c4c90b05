// SPDX-License-Identifier: Apache-2.0
// The weights of a model folder: found, mapped, and every tensor checked against the configuration before
// anything is allocated for it.
#pragma once

#include <filesystem>
#include <vector>

#include "awry/base/result.h"
#include "awry/inspectors/networks/encoder_module.h"
#include "awry/inspectors/networks/mapped_file.h"
#include "awry/inspectors/networks/tensor_list.h"

namespace awry::inspectors::networks {

// Keeps mapped what its tensors point into.
struct WeightFiles {
  std::vector<std::filesystem::path> paths;
  std::vector<MappedFile> files;
  TensorList tensors;
};

// model.safetensors, else model.safetensors.index.json and its parts, else pytorch_model.bin, else its index
// and parts. None of them is an error that names all.
Result<std::vector<std::filesystem::path>> find_weight_files(const std::filesystem::path& folder);
Result<WeightFiles> open_weight_files(const std::filesystem::path& folder);

// The tensors that the first `layers` layers need, whatever prefix ("bert.", "distilbert.") and age
// (LayerNorm.gamma) their names have.
Result<EncoderWeights> find_encoder_weights(const TensorList& tensors, const EncoderShape& shape,
                                            std::int64_t layers, const std::filesystem::path& folder);

}  // namespace awry::inspectors::networks
