// SPDX-License-Identifier: Apache-2.0
// config.json of a Hugging Face model folder, as far as a text encoder needs it.
#pragma once

#include <filesystem>
#include <string>

#include "awry/base/result.h"
#include "awry/inspectors/networks/encoder_module.h"

namespace awry::inspectors::networks {

struct ModelConfig {
  EncoderShape shape;
  std::string family_name;  // "distilbert": the file's model_type
};

// An architecture awry does not know, an activation it does not know, a missing field and a size beyond
// reason are errors that name the field.
Result<ModelConfig> read_model_config(const std::filesystem::path& path);

std::string_view family_name(Family family);

}  // namespace awry::inspectors::networks
