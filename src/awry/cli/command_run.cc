// SPDX-License-Identifier: Apache-2.0
// awry run PROTOCOL DATA: ask a model every question of a benchmark, keep the replies, score, report.
#include "awry/base/text.h"
#include "awry/cli/benchmark_output.h"
#include "awry/cli/command.h"
#include "awry/cli/endpoint_options.h"
#include "awry/cli/version.h"
#include "awry/pipeline/benchmark_run.h"

namespace awry::cli {
namespace {

struct RunOptions {
  std::string protocol;
  std::filesystem::path data;
  std::string model = "forensics";
  EndpointOptions endpoint;
  std::string judge;
  EndpointOptions judge_endpoint;
  std::vector<std::string> options;
  std::filesystem::path runs = "runs";
  std::filesystem::path batch_folder, price_file, prompts;
  std::string perturb;
  std::uint64_t seed = 1;
  int jobs = 0, reask = 0;
  Limit limit;
  bool no_cache = false, retry_errors = false, dry_run = false;
  std::optional<double> max_cost;
  std::optional<std::uint64_t> max_tokens, max_calls;
  bool json = false;
  std::filesystem::path output;
};

void declare_budget(RunOptions& options, OptionSet& set) {
  const std::string group = "Budget of the whole run, judge included";
  set.value(options.max_cost, "max-cost",
            {.placeholder = "USD", .help = "Needs --price-file.", .group = group, .minimum = 0});
  set.value(options.max_tokens, "max-tokens",
            {.placeholder = "N", .help = "Tokens sent and received.", .group = group, .minimum = 0});
  set.value(options.max_calls, "max-calls",
            {.placeholder = "N", .help = "Questions that leave.", .group = group, .minimum = 0});
  set.value(options.price_file, "price-file",
            {.placeholder = "FILE",
             .help = R"(Dollars a million tokens: {"models": {"NAME": {"input": 2.5, "output": 10}}}.)",
             .group = group,
             .endings = {".json"}});
}

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
  declare_judge(set, options.judge, options.judge_endpoint);
  set.value(options.batch_folder, "batch-folder",
            {.placeholder = "DIR",
             .help = "Where batch:NAME writes requests and finds results.",
             .default_text = "RUNS/batch"});
  declare_budget(options, set);
  set.example("awry run themis data/themis --model forensics", "the embedded inspector on THEMIS");
  set.example("awry run cave data/cave --model openai:gpt-4o --max-cost 5 --price-file prices.json",
              "a model behind an endpoint, for at most five dollars");
  set.example("awry run themis data/themis --model replay:runs/latest",
              "the last run again, without network");
}

std::string shell_word(const std::string& word) {
  const bool is_plain = !word.empty() && word.find_first_not_of(
                                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTU"
                                             "VWXYZ0123456789_-+=.,:/@%") == std::string::npos;
  return is_plain ? word : "'" + replace_all(word, "'", "'\\''") + "'";
}

// The command as given, with every option that is not at its default. Secrets are never part of it.
std::vector<std::string> command_words(const RunOptions& options, const Context& context) {
  std::vector<std::string> words = {"awry", "run", options.protocol, options.data.string()};
  for (const Option& option : context.settings.options()) {
    if (option.is_positional() || option.details.secret || option.origin.kind != Origin::Kind::kFlag)
      continue;
    if (option.shape == OptionShape::kFlag) {
      words.push_back("--" + option.name);
      continue;
    }
    for (const std::string& value : option.current()) {
      words.push_back("--" + option.name);
      words.push_back(value);
    }
  }
  return words;
}

// The limits twice as high: a run that is taken up again counts what it has spent already.
std::string command_to_go_on(const RunOptions& options, const Context& context) {
  std::vector<std::string> words = command_words(options, context);
  const auto raise = [&](std::string_view name, const std::string& value) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] == name) words[i + 1] = value;
    }
  };
  if (options.max_cost) raise("--max-cost", fmt::format("{}", *options.max_cost * 2));
  if (options.max_tokens) raise("--max-tokens", fmt::format("{}", *options.max_tokens * 2));
  if (options.max_calls) raise("--max-calls", fmt::format("{}", *options.max_calls * 2));
  for (std::string& word : words) word = shell_word(word);
  return join(words, " ");
}

Result<pipeline::BenchmarkOptions> benchmark_options(const RunOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(benchmarks::ProtocolOptions switches, protocol_options_of(options.options));
  if (!options.prompts.empty()) switches["prompts"] = options.prompts.string();
  pipeline::BenchmarkOptions benchmark{
      .name = options.protocol + "-" + options.model.substr(0, options.model.find('/')),
      .protocol = options.protocol,
      .data = options.data,
      .model = options.model,
      .endpoint = endpoint_settings(options.endpoint, context),
      .judge = options.judge,
      .judge_endpoint = judge_settings(options.judge_endpoint, options.endpoint, context),
      .budget = {.max_cost_usd = options.max_cost,
                 .max_tokens = options.max_tokens,
                 .max_calls = options.max_calls},
      .protocol_options = std::move(switches),
      .runs_folder = options.runs,
      .seed = options.seed,
      .perturb = options.perturb,
      .threads = job_count(options.jobs),
      .ask_again = options.no_cache,
      .retry_errors = options.retry_errors,
      .reask = options.reask,
      .range = [&](std::size_t total) { return options.limit.range_of(total); },
      .command = command_words(options, context),
      .awry_version = std::string(version()),
      .progress = context.progress(),
      .cancel = &context.cancel};
  benchmark.endpoint.batch_folder =
      options.batch_folder.empty() ? options.runs / "batch" : options.batch_folder;
  benchmark.judge_endpoint.batch_folder = benchmark.endpoint.batch_folder / "judge";
  if (!options.price_file.empty()) {
    AWRY_TRY_ASSIGN(benchmark.prices, pipeline::read_price_file(options.price_file));
  }
  return benchmark;
}

Result<int> tell_estimate(const pipeline::BenchmarkOptions& benchmark, const RunOptions& options,
                          Context& context) {
  AWRY_TRY_ASSIGN(const pipeline::Estimate estimate, pipeline::estimate_benchmark(benchmark));
  Table table{
      .columns = {{"questions"}, {"known"}, {"to_ask"}, {"input_tokens"}, {"output_tokens"}, {"usd"}}};
  table.rows.push_back({Cell(estimate.questions), Cell(estimate.known),
                        Cell(estimate.questions - estimate.known),
                        Cell(static_cast<std::size_t>(estimate.usage.input_tokens)),
                        Cell(static_cast<std::size_t>(estimate.usage.output_tokens)),
                        estimate.usage.cost_usd ? Cell(*estimate.usage.cost_usd) : Cell()});
  AWRY_TRY(write_table(context.out, table, {.json = options.json, .file = options.output}));
  context.say("Nothing was asked. Tokens are guessed; follow-up and judge questions are not counted.");
  return kExitDone;
}

Result<int> run(const RunOptions& options, Context& context) {
  AWRY_TRY(protocol_called(options.protocol));
  AWRY_TRY_ASSIGN(const pipeline::BenchmarkOptions benchmark, benchmark_options(options, context));
  if (options.dry_run) return tell_estimate(benchmark, options, context);
  AWRY_TRY_ASSIGN(const pipeline::BenchmarkResult result, pipeline::run_benchmark(benchmark));
  if (result.budget_used_up) {
    context.say(
        "The budget is used up: {} questions asked, {} tokens, ${:.4f}. Every reply is kept. To go on:",
        result.spent.calls, result.spent.input_tokens + result.spent.output_tokens, result.spent.cost_usd);
    context.say("  {}", command_to_go_on(options, context));
    return kExitBudget;
  }
  if (result.interrupted && options.model.starts_with("batch:")) {
    context.say(
        "{} of {} questions wait in {}. Send these files, put what comes back into {}, and run the "
        "same command again.",
        result.questions - result.asked - result.reused, result.questions,
        benchmark.endpoint.batch_folder.string(), (benchmark.endpoint.batch_folder / "results").string());
    return kExitPartial;
  }
  return show_benchmark(result, context, {.json = options.json, .file = options.output});
}

}  // namespace

std::unique_ptr<CommandInstance> make_run() {
  return make_command<RunOptions>(declare, run);
}

}  // namespace awry::cli
