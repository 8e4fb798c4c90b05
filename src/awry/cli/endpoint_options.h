// SPDX-License-Identifier: Apache-2.0
// How the user says where a model is and how to ask it: shared by `run`, `rejudge`, `bench` and `doctor`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "awry/cli/context.h"
#include "awry/cli/options.h"
#include "awry/pipeline/budget.h"
#include "awry/pipeline/models.h"

namespace awry::cli {

struct EndpointOptions {
  std::vector<std::string> base_urls, headers, model_args;
  int concurrency = 256, retries = 6, timeout_s = 300;
  int max_edge = 0;
  std::uint64_t max_pixels = 0, max_image_bytes = 0;
};

// The same for a judge; what is not said is as for the model.
struct JudgeOptions {
  std::string judge;
  std::vector<std::string> base_urls, headers, model_args;
  std::optional<int> concurrency, retries, timeout_s, max_edge;
  std::optional<std::uint64_t> max_pixels, max_image_bytes;
};

// The judge's options have "judge-" before their names.
void declare_endpoint(OptionSet& set, EndpointOptions& options);
void declare_judge(OptionSet& set, JudgeOptions& options);

// Keys come from the environment or .env: OPENAI_API_KEY, and for judges JUDGE_API_KEY before it.
pipeline::EndpointSettings endpoint_settings(const EndpointOptions& options, const Context& context);
pipeline::EndpointSettings judge_settings(const JudgeOptions& judge, const EndpointOptions& model,
                                          const Context& context);

// The limits on what may be spent, and the file of prices: shared by `run`, `rejudge` and `bench images`.
struct BudgetOptions {
  std::optional<double> max_cost;
  std::optional<std::uint64_t> max_tokens, max_calls;
  std::filesystem::path price_file;

  pipeline::BudgetLimits limits() const;
};
void declare_budget(OptionSet& set, BudgetOptions& options);

// The command as given, with the limits twice as high: a run that is taken up again counts what it has spent
// already. Secrets are never part of it. `words` are the command and its positionals.
std::vector<std::string> command_words(std::vector<std::string> words, const Context& context);
std::string command_to_go_on(std::vector<std::string> words, const BudgetOptions& budget);

}  // namespace awry::cli
