// SPDX-License-Identifier: Apache-2.0
// openai:NAME, a model behind any OpenAI-compatible chat endpoint.
#pragma once

#include <memory>
#include <string>

#include "awry/base/result.h"
#include "awry/pipeline/models.h"

namespace awry::pipeline {

Result<std::unique_ptr<Model>> make_endpoint_model(const std::string& name, const EndpointSettings& settings);

// What decides the replies of an endpoint's model: its name, its arguments and what pictures become on the
// way. Endpoints and keys do not: the same model behind another address gives the same replies.
Result<std::string> endpoint_identity(const std::string& name, const EndpointSettings& settings);

}  // namespace awry::pipeline
