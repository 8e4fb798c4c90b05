// SPDX-License-Identifier: Apache-2.0
// A model behind an images endpoint as a generator for the forge.
#pragma once

#include <memory>
#include <string>

#include "awry/base/result.h"
#include "awry/forge/image_generator.h"
#include "awry/pipeline/models.h"

namespace awry::pipeline {

struct ImageEndpointOptions {
  std::string model;  // "gpt-image-1"
  // "1024x1024": what the model is asked for, and what panels and masks are brought to before they are sent.
  // Empty: square for square panels and otherwise 3:2, which gpt-image models take; square for all others.
  std::string size;
};

// Only the first endpoint is used.
Result<std::unique_ptr<forge::ImageGenerator>> make_endpoint_generator(const ImageEndpointOptions& options,
                                                                       const EndpointSettings& settings);

}  // namespace awry::pipeline
