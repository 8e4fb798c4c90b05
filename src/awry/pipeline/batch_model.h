// SPDX-License-Identifier: Apache-2.0
// batch:NAME, a model that is asked through files: what is not answered yet is written as OpenAI batch
// requests, and what has come back is read from the result files, in whatever order and however many.
//
//   <folder>/requests-001.jsonl ...   to be uploaded; never more than the service takes in one file
//   <folder>/results/*.jsonl          where the user puts the files that come back
//
// Its replies have the same keys as those of openai:NAME.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "awry/base/result.h"
#include "awry/pipeline/models.h"

namespace awry::pipeline {

struct BatchLimits {
  std::size_t max_bytes = 200'000'000, max_lines = 50'000;  // of one file
};

Result<std::unique_ptr<Model>> make_batch_model(const std::string& name, const EndpointSettings& settings,
                                                const BatchLimits& limits = {});

}  // namespace awry::pipeline
