// SPDX-License-Identifier: Apache-2.0
// Pictures for MagicBench: each prompt of a file goes to an images endpoint, each picture that comes back is
// on disk before the next step, and the rows that `awry run magicbench` reads are written at the end.
//
//   <output>/images/<key>.png   pictures, named by model, arguments and prompt: asked for once
//   <output>/generated.jsonl    one line a picture: who made it, when, at what cost, from which wording
//   <output>/rows.jsonl         the prompts with their pictures as gen_images
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "awry/base/cancel.h"
#include "awry/base/progress.h"
#include "awry/base/result.h"
#include "awry/pipeline/budget.h"
#include "awry/pipeline/models.h"
#include "awry/pipeline/prices.h"

namespace awry::pipeline {

struct ImagesOptions {
  std::filesystem::path prompts;  // JSON lines with prompt_t2i or prompt; other fields are kept
  std::filesystem::path output;
  std::string model;  // "openai:gpt-image-1"
  EndpointSettings endpoint;
  int at_once = 8;      // pictures; the endpoint's own limits are found below that
  BudgetLimits budget;  // of the output folder: what was spent for it before counts
  PriceList prices;
  std::function<std::pair<std::size_t, std::size_t>(std::size_t total)> range;  // of the prompts; unset: all
  ProgressOptions progress;
  const CancelToken* cancel = nullptr;
};

struct ImagesResult {
  std::size_t prompts = 0, made = 0, known = 0;
  std::vector<std::string> failures;  // one line for each prompt without a picture
  bool interrupted = false, budget_used_up = false;
  Spending spent;
  std::filesystem::path rows;
};

// An error means that nothing could be read, asked or written; a prompt that fails is a line in `failures`.
Result<ImagesResult> generate_images(const ImagesOptions& options);

}  // namespace awry::pipeline
