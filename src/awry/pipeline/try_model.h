// SPDX-License-Identifier: Apache-2.0
// One cheap question to a chat model, to learn whether it can be reached, takes the key and sees pictures.
#pragma once

#include <string>

#include "awry/base/result.h"
#include "awry/pipeline/models.h"

namespace awry::pipeline {

struct Trial {
  Reply reply;
  bool sees = false;  // it named the colour of the picture that was sent along
};

// `name` is "openai:NAME". An error means that it could not even be asked: a bad address or argument.
Result<Trial> try_model(const std::string& name, EndpointSettings settings);

}  // namespace awry::pipeline
