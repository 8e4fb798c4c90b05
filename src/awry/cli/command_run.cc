// SPDX-License-Identifier: Apache-2.0
// awry run PROTOCOL DATA: ask a model every question of a benchmark, keep the replies, score, report.
#include "awry/cli/benchmark_output.h"
#include "awry/cli/command.h"
#include "awry/cli/version.h"
#include "awry/pipeline/benchmark_run.h"

namespace awry::cli {
namespace {

struct RunOptions {
  std::string protocol;
  std::filesystem::path data;
  std::string model = "forensics";
  std::vector<std::string> options;
  std::filesystem::path runs = "runs";
  std::uint64_t seed = 1;
  int jobs = 0;
  Limit limit;
  bool no_cache = false;
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
            {.placeholder = "M", .help = "Who answers: forensics, the embedded inspector."});
  declare_protocol_options(set, options.options);
  declare_runs_folder(set, options.runs);
  declare_seed(set, options.seed);
  declare_jobs(set, options.jobs);
  declare_limit(set, options.limit);
  set.flag(options.no_cache, "no-cache", {.help = "Ask again even where an earlier run has the reply."});
  declare_json(set, options.json);
  declare_output(set, options.output);
  set.example("awry run themis data/themis --model forensics", "the embedded inspector on THEMIS");
}

Result<int> run(const RunOptions& options, Context& context) {
  AWRY_TRY(protocol_called(options.protocol));
  AWRY_TRY_ASSIGN(benchmarks::ProtocolOptions switches, protocol_options_of(options.options));
  pipeline::BenchmarkOptions benchmark{
      .name = options.protocol + "-" + options.model,
      .protocol = options.protocol,
      .data = options.data,
      .model = options.model,
      .protocol_options = std::move(switches),
      .runs_folder = options.runs,
      .seed = options.seed,
      .threads = job_count(options.jobs),
      .ask_again = options.no_cache,
      .range = [&](std::size_t total) { return options.limit.range_of(total); },
      .command = {"awry", "run", options.protocol, options.data.string(), "--model", options.model},
      .awry_version = std::string(version()),
      .progress = context.progress(),
      .cancel = &context.cancel};
  AWRY_TRY_ASSIGN(const pipeline::BenchmarkResult result, pipeline::run_benchmark(benchmark));
  return show_benchmark(result, context, {.json = options.json, .file = options.output});
}

}  // namespace

std::unique_ptr<CommandInstance> make_run() {
  return make_command<RunOptions>(declare, run);
}

}  // namespace awry::cli
