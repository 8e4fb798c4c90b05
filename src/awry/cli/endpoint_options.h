// SPDX-License-Identifier: Apache-2.0
// How the user says where a model is and how to ask it: shared by `run` and `doctor`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "awry/cli/context.h"
#include "awry/cli/options.h"
#include "awry/pipeline/models.h"

namespace awry::cli {

struct EndpointOptions {
  std::vector<std::string> base_urls, headers, model_args;
  int concurrency = 256, retries = 6, timeout_s = 300;
  int max_edge = 0;
  std::uint64_t max_pixels = 0, max_image_bytes = 0;
};

// The judge's options have "judge-" before their names, and share the limits of the model.
void declare_endpoint(OptionSet& set, EndpointOptions& options);
void declare_judge(OptionSet& set, std::string& judge, EndpointOptions& options);

// Keys come from the environment or .env: OPENAI_API_KEY, and for judges JUDGE_API_KEY before it.
pipeline::EndpointSettings endpoint_settings(const EndpointOptions& options, const Context& context);
pipeline::EndpointSettings judge_settings(const EndpointOptions& judge, const EndpointOptions& model,
                                          const Context& context);

}  // namespace awry::cli
