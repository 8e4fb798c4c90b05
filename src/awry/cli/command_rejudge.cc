// SPDX-License-Identifier: Apache-2.0
// awry rejudge RUN --judge M: the stored answers of a run, judged by another model.
#include "awry/cli/benchmark_output.h"
#include "awry/cli/command.h"
#include "awry/cli/endpoint_options.h"
#include "awry/cli/stored_run.h"
#include "awry/cli/version.h"
#include "awry/pipeline/rejudge.h"

namespace awry::cli {
namespace {

struct RejudgeOptions {
  std::string run;
  JudgeOptions judge;
  std::vector<std::string> options;
  std::filesystem::path prompts, batch_folder;
  std::filesystem::path runs = "runs";
  BudgetOptions budget;
  int jobs = 0, reask = 0;
  bool no_cache = false, retry_errors = false, dry_run = false;
  bool json = false;
  std::filesystem::path output;
};

void declare(RejudgeOptions& options, OptionSet& set) {
  set.describe(
      "Has the answers of a finished run judged by another model, or once more by the same. The model that "
      "answered is not asked again. The result is a run of its own, with a report; awry compare tells how "
      "far "
      "two judges differ when it is told --different-judges.");
  set.positional(
      options.run, "run",
      {.help = "An id or a clear part of one, latest, latest~1, or a run's folder.", .required = true});
  declare_protocol_options(set, options.options);
  set.value(options.prompts, "prompts",
            {.placeholder = "DIR", .help = "Your own wording of the judge's prompts."});
  declare_runs_folder(set, options.runs);
  declare_jobs(set, options.jobs);
  set.flag(options.no_cache, "no-cache", {.help = "Ask the judge again even where its reply is known."});
  set.flag(options.retry_errors, "retry-errors",
           {.help = "Ask the judge again where its reply was no verdict."});
  set.value(options.reask, "reask",
            {.placeholder = "N",
             .help = "How often a reply that cannot be read is asked for once more.",
             .minimum = 0,
             .maximum = 20});
  declare_dry_run(set, options.dry_run);
  declare_json(set, options.json);
  declare_output(set, options.output);
  declare_judge(set, options.judge);
  set.value(options.batch_folder, "batch-folder",
            {.placeholder = "DIR",
             .help = "Where batch:NAME writes requests and finds results.",
             .default_text = "RUNS/batch/judge"});
  declare_budget(set, options.budget);
  set.example("awry rejudge latest --judge openai:gpt-4o", "who judges differently?");
}

Result<int> run(const RejudgeOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const StoredRun stored, find_stored_run(options.runs, options.run));
  AWRY_TRY_ASSIGN(benchmarks::ProtocolOptions switches, protocol_options_of(options.options));
  if (!options.prompts.empty()) switches["prompts"] = options.prompts.string();
  // Later "latest" is another run; a folder stays what it is.
  const bool is_name = !std::filesystem::is_directory(options.run);
  const std::vector<std::string> words =
      command_words({"awry", "rejudge", is_name ? stored.run.id : options.run}, context);
  pipeline::BenchmarkOptions benchmark{.judge = options.judge.judge,
                                       .judge_endpoint = judge_settings(options.judge, {}, context),
                                       .budget = options.budget.limits(),
                                       .protocol_options = std::move(switches),
                                       .runs_folder = options.runs,
                                       .threads = job_count(options.jobs),
                                       .ask_again = options.no_cache,
                                       .retry_errors = options.retry_errors,
                                       .reask = options.reask,
                                       .command = words,
                                       .awry_version = std::string(version()),
                                       .progress = context.progress(),
                                       .cancel = &context.cancel};
  benchmark.judge_endpoint.batch_again = options.retry_errors;
  benchmark.judge_endpoint.batch_folder =
      options.batch_folder.empty() ? options.runs / "batch" / "judge" : options.batch_folder;
  if (!options.budget.price_file.empty()) {
    AWRY_TRY_ASSIGN(benchmark.prices, pipeline::read_price_file(options.budget.price_file));
  }
  if (options.dry_run) {
    AWRY_TRY_ASSIGN(const pipeline::Estimate estimate,
                    pipeline::estimate_rejudging(stored.folder, benchmark));
    return show_estimate(estimate, stored.run.model, options.judge.judge, context,
                         {.json = options.json, .file = options.output});
  }
  AWRY_TRY_ASSIGN(const pipeline::BenchmarkResult result, pipeline::rejudge(stored.folder, benchmark));
  if (result.budget_used_up) return say_budget_used_up(result, words, options.budget, context);
  if (result.interrupted && options.judge.judge.starts_with("batch:")) {
    return say_batch_waits(result, benchmark.judge_endpoint.batch_folder, context);
  }
  return show_benchmark(result, context, {.json = options.json, .file = options.output});
}

}  // namespace

std::unique_ptr<CommandInstance> make_rejudge() {
  return make_command<RejudgeOptions>(declare, run);
}

}  // namespace awry::cli
