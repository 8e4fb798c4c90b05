// SPDX-License-Identifier: Apache-2.0
// awry bench prompts: MagicBench prompts for image generators.
#include "awry/base/files.h"
#include "awry/benchmarks/magicmirror/bench_prompts.h"
#include "awry/cli/command.h"
#include "awry/cli/endpoint_options.h"
#include "awry/cli/version.h"
#include "awry/pipeline/written_prompts.h"

namespace awry::cli {
namespace {

struct PromptsOptions {
  int count = 100;
  std::vector<std::string> classes;
  std::uint64_t seed = 1;
  std::filesystem::path output;
  std::string model;
  std::filesystem::path runs = "runs";
  EndpointOptions endpoint;
  BudgetOptions budget;
};

void declare(PromptsOptions& options, OptionSet& set) {
  set.describe(
      "Writes prompts in MagicBench's eight detail classes, one JSON object a line, made of the lists that "
      "come with awry, or worded by a language model that is told what the lists say. awry bench images has "
      "them drawn, and awry run magicbench assesses the pictures.");
  set.value(options.count, "count", {.placeholder = "N", .help = "Prompts per class."});
  set.list(options.classes, "class",
           {.placeholder = "NAME", .help = "A detail class; all eight by default."});
  declare_seed(set, options.seed);
  declare_output(set, options.output);
  set.value(options.model, "model",
            {.placeholder = "M", .help = "Who words them: openai:NAME; without it they stay as drawn."});
  declare_runs_folder(set, options.runs);
  declare_endpoint(set, options.endpoint);
  declare_budget(set, options.budget);
  set.example("awry bench prompts --output prompts.jsonl", "800 prompts, a hundred of each class");
  set.example("awry bench prompts --count 5 --class human_double", "five prompts with two people");
}

// Replaces the prompts by what the model makes of them, and returns the exit code.
Result<int> have_worded(std::vector<benchmarks::magicmirror::BenchPrompt>& prompts,
                        const PromptsOptions& options, Context& context) {
  const std::vector<std::string> words = command_words({"awry", "bench", "prompts"}, context);
  pipeline::BenchmarkOptions asking{.model = options.model,
                                    .endpoint = endpoint_settings(options.endpoint, context),
                                    .budget = options.budget.limits(),
                                    .runs_folder = options.runs,
                                    .threads = job_count(0),
                                    .command = words,
                                    .awry_version = std::string(version()),
                                    .progress = context.progress(),
                                    .cancel = &context.cancel};
  if (!options.budget.price_file.empty()) {
    AWRY_TRY_ASSIGN(asking.prices, pipeline::read_price_file(options.budget.price_file));
  }
  AWRY_TRY_ASSIGN(pipeline::WrittenPrompts written, pipeline::write_prompts(prompts, asking));
  if (written.budget_used_up) {
    context.say("The budget is used up after {} prompts; every reply is kept. To go on:",
                written.spent.calls);
    context.say("  {}", command_to_go_on(words, options.budget));
    return kExitBudget;
  }
  if (written.interrupted) return kExitFailed;
  for (const std::string& failure : written.failures) context.say("  {}", failure);
  prompts = std::move(written.prompts);
  return written.failures.empty() ? kExitDone : kExitPartial;
}

Result<int> run(const PromptsOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(auto prompts,
                  benchmarks::magicmirror::make_bench_prompts(
                      {.per_class = options.count < 0 ? 0 : static_cast<std::size_t>(options.count),
                       .seed = options.seed,
                       .classes = options.classes}));
  int code = kExitDone;
  if (!options.model.empty()) {
    AWRY_TRY_ASSIGN(code, have_worded(prompts, options, context));
    if (code == kExitBudget || code == kExitFailed) return code;
  }
  const std::string lines = benchmarks::magicmirror::bench_prompt_lines(prompts);
  if (options.output.empty()) {
    context.out.write(lines);
  } else {
    AWRY_TRY(write_file(options.output, lines));
    context.say("wrote {} prompts to {}", prompts.size(), options.output.string());
  }
  return code;
}

}  // namespace

std::unique_ptr<CommandInstance> make_bench_prompts() {
  return make_command<PromptsOptions>(declare, run);
}

}  // namespace awry::cli
