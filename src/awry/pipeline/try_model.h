// SPDX-License-Identifier: Apache-2.0
// One cheap question to a chat model, to learn whether it can be reached, takes the key, sees pictures, and
// takes them as long as users have them. Only where the picture is refused is a second, small one sent.
#pragma once

#include <string>

#include "awry/base/result.h"
#include "awry/pipeline/models.h"

namespace awry::pipeline {

struct Trial {
  Reply reply;
  bool sees = false;              // it named the colour of the picture that was sent along
  int width = 0, height = 0;      // of that picture, as it was sent
  long long guessed_tokens = 0;   // for the question, by prices.h
  std::string long_edge_refused;  // what the endpoint said of the long picture; empty: it took it
  int refused_width = 0;
};

// `name` is "openai:NAME". An error means that it could not even be asked: a bad address or argument.
Result<Trial> try_model(const std::string& name, EndpointSettings settings);

}  // namespace awry::pipeline
