// SPDX-License-Identifier: Apache-2.0
// awry bench images PROMPTS: pictures for MagicBench from an images endpoint.
#include "awry/cli/command.h"
#include "awry/cli/endpoint_options.h"
#include "awry/pipeline/image_generation.h"

namespace awry::cli {
namespace {

constexpr std::size_t kShownFailures = 10;

struct ImagesOptions {
  std::filesystem::path prompts, output = "generated";
  std::string model;
  EndpointOptions endpoint{.concurrency = 8};
  BudgetOptions budget;
  Limit limit;
};

void declare(ImagesOptions& options, OptionSet& set) {
  set.describe(
      "Asks an OpenAI-compatible images endpoint for a picture of each prompt. Every picture is kept as it "
      "comes, with who made it, when and at what cost; the same command again asks only for those that are "
      "missing. Writes rows.jsonl, which awry run magicbench reads.");
  set.positional(options.prompts, "prompts",
                 {.help = "JSON lines with prompt_t2i: awry bench prompts makes them.", .required = true});
  set.value(options.model, "model",
            {.placeholder = "M", .help = "Who makes the pictures: openai:NAME.", .required = true});
  set.value(options.output, "output", {.letter = 'o', .placeholder = "DIR", .help = "Keeps the pictures."});
  declare_limit(set, options.limit);
  declare_endpoint(set, options.endpoint);
  declare_budget(set, options.budget);
  set.example(
      "awry bench images prompts.jsonl --model openai:gpt-image-1 -o dalle --model-arg size=1024x1024", "");
}

Result<int> run(const ImagesOptions& options, Context& context) {
  pipeline::ImagesOptions generation{
      .prompts = options.prompts,
      .output = options.output,
      .model = options.model,
      .endpoint = endpoint_settings(options.endpoint, context),
      .at_once = options.endpoint.concurrency,
      .budget = options.budget.limits(),
      .range = [&](std::size_t total) { return options.limit.range_of(total); },
      .progress = context.progress(),
      .cancel = &context.cancel};
  if (!options.budget.price_file.empty()) {
    AWRY_TRY_ASSIGN(generation.prices, pipeline::read_price_file(options.budget.price_file));
  }
  AWRY_TRY_ASSIGN(const pipeline::ImagesResult result, pipeline::generate_images(generation));
  for (std::size_t i = 0; i < std::min(result.failures.size(), kShownFailures); ++i) {
    context.say("  {}", result.failures[i]);
  }
  context.say("{} of {} pictures are there: {} made now, {} known. Rows: {}", result.made + result.known,
              result.prompts, result.made, result.known, result.rows.string());
  if (result.budget_used_up) {
    context.say("The budget is used up: {} pictures asked for, ${:.4f}. To go on:", result.spent.calls,
                result.spent.cost_usd);
    context.say("  {}", command_to_go_on(
                            command_words({"awry", "bench", "images", options.prompts.string()}, context),
                            options.budget));
    return kExitBudget;
  }
  if (result.interrupted) return kExitFailed;
  return result.failures.empty() ? kExitDone : kExitPartial;
}

}  // namespace

std::unique_ptr<CommandInstance> make_bench_images() {
  return make_command<ImagesOptions>(declare, run);
}

}  // namespace awry::cli
