// SPDX-License-Identifier: Apache-2.0
// awry run PROTOCOL DATA: ask a model every question of a benchmark, keep the replies, score, report.
#include "awry/base/text.h"
#include "awry/cli/benchmark_output.h"
#include "awry/cli/bert_similarity.h"
#include "awry/cli/command.h"
#include "awry/cli/endpoint_options.h"
#include "awry/cli/version.h"
#include "awry/pipeline/benchmark_run.h"
#include "awry/pipeline/estimate.h"
#include "awry/pipeline/perturbation_sweep.h"

namespace awry::cli {
namespace {

struct RunOptions {
  std::string protocol;
  std::filesystem::path data;
  std::string model = "forensics";
  EndpointOptions endpoint;
  JudgeOptions judge;
  std::vector<std::string> options;
  SimilarityOptions similarity;
  std::filesystem::path runs = "runs";
  std::filesystem::path batch_folder, prompts;
  std::string perturb, marks_from;
  std::vector<std::string> sweep;
  std::uint64_t seed = 1;
  int jobs = 0, reask = 0;
  Limit limit;
  bool no_cache = false, retry_errors = false, dry_run = false;
  BudgetOptions budget;
  bool json = false;
  std::filesystem::path output;
};

void declare(RunOptions& options, OptionSet& set) {
  set.describe(
      "Asks a model every question of a benchmark and scores its answers. Every reply is stored before it is "
      "read, so running the same command again resumes where it stopped.");
  set.positional(options.protocol, "protocol",
                 {.help = fmt::format("One of {}.", protocol_names()), .required = true});
  set.positional(options.data, "data", {.help = "Folder or file in the released layout.", .required = true});
  set.value(options.model, "model",
            {.placeholder = "M",
             .help = "Who answers: forensics (the embedded inspector), openai:NAME (any OpenAI-compatible "
                     "endpoint), replay:FILE (a recorded run) or batch:NAME (through batch files)."});
  declare_protocol_options(set, options.options);
  set.value(options.prompts, "prompts",
            {.placeholder = "DIR",
             .help = "Your own wording: files in DIR replace awry's prompts of the same name."});
  set.value(
      options.perturb, "perturb",
      {.placeholder = "SPEC",
       .help = "Ask about damaged copies of the images: blur:SIGMA, jpeg:QUALITY, scale:FACTOR, or several "
               "in a row: scale:0.5,jpeg:70."});
  set.list(
      options.sweep, "perturb-sweep",
      {.placeholder = "SPEC",
       .help = "The clean images and then each level of damage, one run each, and a page of curves: all, "
               "or a kind and its levels, blur:1,2,4; several times for several kinds."});
  set.value(options.marks_from, "marks-from",
            {.placeholder = "INSPECTOR",
             .help = "Draw what this inspector finds, forensics, as numbered boxes: cave, prompt=som."});
  declare_runs_folder(set, options.runs);
  declare_seed(set, options.seed);
  declare_jobs(set, options.jobs);
  declare_limit(set, options.limit);
  set.flag(options.no_cache, "no-cache", {.help = "Ask again even where an earlier run has the reply."});
  set.flag(options.retry_errors, "retry-errors",
           {.help = "Ask again where a reply came but is no answer: refused, cut off or unparsable."});
  set.value(options.reask, "reask",
            {.placeholder = "N",
             .help = "How often a reply that cannot be read is asked for once more.",
             .minimum = 0,
             .maximum = 20});
  declare_dry_run(set, options.dry_run);
  declare_json(set, options.json);
  declare_output(set, options.output);
  declare_endpoint(set, options.endpoint);
  declare_judge(set, options.judge);
  set.value(options.batch_folder, "batch-folder",
            {.placeholder = "DIR",
             .help = "Where batch:NAME writes requests and finds results.",
             .default_text = "RUNS/batch"});
  declare_similarity(set, options.similarity);
  declare_budget(set, options.budget);
  explain_switches(set);
  set.example("awry run themis data/themis --model forensics", "the embedded inspector on THEMIS");
  set.example("awry run cave data/cave --model openai:gpt-4o --max-cost 5 --price-file prices.json",
              "a model behind an endpoint, for at most five dollars");
  set.example("awry run cave data/cave --model openai:gpt-4o --option prompt=cot --option tasks=ad,culture",
              "one of the paper's ways of asking, and only these tasks");
  set.example("awry run themis data/themis --perturb-sweep all", "how much do blur, JPEG and scaling hurt?");
  set.example("awry run themis data/themis --model replay:runs/latest",
              "the last run again, without network");
}

std::vector<std::string> words_of(const RunOptions& options, const Context& context) {
  return command_words({"awry", "run", options.protocol, options.data.string()}, context);
}

Result<pipeline::BenchmarkOptions> benchmark_options(const RunOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(benchmarks::ProtocolOptions switches, protocol_options_of(options.options));
  use_similarity(options.similarity, context, switches);
  if (!options.prompts.empty()) switches["prompts"] = options.prompts.string();
  pipeline::BenchmarkOptions benchmark{
      .name = options.protocol + "-" + options.model.substr(0, options.model.find('/')),
      .protocol = options.protocol,
      .data = options.data,
      .model = options.model,
      .endpoint = endpoint_settings(options.endpoint, context),
      .judge = options.judge.judge,
      .judge_endpoint = judge_settings(options.judge, options.endpoint, context),
      .budget = options.budget.limits(),
      .protocol_options = std::move(switches),
      .runs_folder = options.runs,
      .seed = options.seed,
      .perturb = options.perturb,
      .marks_from = options.marks_from,
      .threads = job_count(options.jobs),
      .ask_again = options.no_cache,
      .retry_errors = options.retry_errors,
      .reask = options.reask,
      .range = [&](std::size_t total) { return options.limit.range_of(total); },
      .command = words_of(options, context),
      .awry_version = std::string(version()),
      .progress = context.progress(),
      .cancel = &context.cancel};
  benchmark.endpoint.batch_folder =
      options.batch_folder.empty() ? options.runs / "batch" : options.batch_folder;
  benchmark.endpoint.batch_again = benchmark.judge_endpoint.batch_again = options.retry_errors;
  benchmark.judge_endpoint.batch_folder = benchmark.endpoint.batch_folder / "judge";
  if (!options.budget.price_file.empty()) {
    AWRY_TRY_ASSIGN(benchmark.prices, pipeline::read_price_file(options.budget.price_file));
  }
  return benchmark;
}

Result<int> tell_estimate(const pipeline::BenchmarkOptions& benchmark, const RunOptions& options,
                          Context& context) {
  AWRY_TRY_ASSIGN(const pipeline::Estimate estimate, pipeline::estimate_benchmark(benchmark));
  return show_estimate(estimate, benchmark.model, benchmark.judge, context,
                       {.json = options.json, .file = options.output});
}

Table sweep_table(const pipeline::SweepResult& sweep) {
  Table table{.columns = {{"images"}, {"group"}, {"metric"}, {"value"}, {"n"}}};
  const auto add = [&](std::string_view images, const Summary& summary) {
    for (const Metric& metric : summary.metrics) {
      if (is_breakdown(metric)) continue;
      table.rows.push_back({Cell(std::string(images)), Cell(metric.group), Cell(metric.key),
                            Cell(metric.value), Cell(metric.count)});
    }
  };
  add("clean", sweep.clean.summary);
  for (const pipeline::BenchmarkResult& level : sweep.damaged) {
    add(level.run.settings.at("perturb"), level.summary);
  }
  return table;
}

Result<int> sweep(const pipeline::BenchmarkOptions& benchmark, const RunOptions& options, Context& context) {
  if (options.dry_run || !options.perturb.empty()) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "--perturb-sweep goes with neither --perturb nor --dry-run",
                 .hint = "Estimate a single run, and multiply by the number of levels and one."});
  }
  AWRY_TRY_ASSIGN(const auto damages, pipeline::parse_sweep(options.sweep));
  AWRY_TRY_ASSIGN(const pipeline::SweepResult result, pipeline::run_sweep(benchmark, damages));
  if (result.interrupted) {
    pipeline::BenchmarkResult last = result.damaged.empty() ? result.clean : result.damaged.back();
    last.spent = result.spent;
    if (result.budget_used_up) {
      return say_budget_used_up(last, words_of(options, context), options.budget, context);
    }
    return show_benchmark(last, context, {});
  }
  AWRY_TRY(write_table(context.out, sweep_table(result), {.json = options.json, .file = options.output}));
  std::size_t failures = result.clean.failures.size();
  for (const pipeline::BenchmarkResult& level : result.damaged) failures += level.failures.size();
  if (failures > 0)
    context.say("{} questions of all runs have no answer; see the reports of the runs.", failures);
  context.say("Curves: {}", result.page.string());
  return failures == 0 ? kExitDone : kExitPartial;
}

Result<int> run(const RunOptions& options, Context& context) {
  AWRY_TRY(protocol_called(options.protocol));
  AWRY_TRY_ASSIGN(const pipeline::BenchmarkOptions benchmark, benchmark_options(options, context));
  if (!options.sweep.empty()) return sweep(benchmark, options, context);
  if (options.dry_run) return tell_estimate(benchmark, options, context);
  AWRY_TRY_ASSIGN(const pipeline::BenchmarkResult result, pipeline::run_benchmark(benchmark));
  if (result.budget_used_up) {
    return say_budget_used_up(result, words_of(options, context), options.budget, context);
  }
  if (result.interrupted && options.model.starts_with("batch:")) {
    return say_batch_waits(result, benchmark.endpoint.batch_folder, context);
  }
  return show_benchmark(result, context, {.json = options.json, .file = options.output});
}

}  // namespace

std::unique_ptr<CommandInstance> make_run() {
  return make_command<RunOptions>(declare, run);
}

}  // namespace awry::cli
