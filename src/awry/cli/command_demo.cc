// SPDX-License-Identifier: Apache-2.0
// awry demo: the whole thread, from painted panels to a report, without network or model.
#include "awry/cli/benchmark_output.h"
#include "awry/cli/command.h"
#include "awry/cli/version.h"
#include "awry/forge/themis_set.h"
#include "awry/pipeline/benchmark_run.h"

namespace awry::cli {
namespace {

struct DemoOptions {
  std::filesystem::path runs = "runs";
  std::uint64_t seed = 1;
  int jobs = 0;
  bool json = false;
  std::filesystem::path output;
};

void declare(DemoOptions& options, OptionSet& set) {
  set.describe(
      "Paints scientific-looking panels, plants forgeries in some, asks the embedded forensic inspector "
      "about "
      "all of them, scores its answers against the truth and writes a report. Interrupted, the same command "
      "goes on where it stopped.");
  declare_runs_folder(set, options.runs);
  declare_seed(set, options.seed);
  declare_jobs(set, options.jobs);
  declare_json(set, options.json);
  declare_output(set, options.output);
  set.example("awry demo", "about half a minute");
  set.example("awry demo --seed 7", "other panels, other forgeries");
}

Result<void> forge_panels(const std::filesystem::path& folder, const DemoOptions& options,
                          const Context& context) {
  std::optional<Progress> progress;  // how many there will be is known with the first one
  forge::ThemisSetOptions set{
      .seed = options.seed, .threads = job_count(options.jobs), .cancel = &context.cancel};
  set.on_item = [&](std::size_t, std::size_t total) {
    if (!progress) progress.emplace("forging panels", total, context.progress());
    progress->add();
  };
  AWRY_TRY(forge::forge_themis_set(folder, set));
  return {};
}

Result<int> run(const DemoOptions& options, Context& context) {
  const std::filesystem::path data = options.runs / fmt::format("demo-panels-{}", options.seed);
  AWRY_TRY(forge_panels(data, options, context));
  AWRY_TRY_ASSIGN(
      const pipeline::BenchmarkResult result,
      pipeline::run_benchmark({.name = "demo",
                               .protocol = "themis",
                               .data = data,
                               .model = "forensics",
                               .runs_folder = options.runs,
                               .seed = options.seed,
                               .threads = job_count(options.jobs),
                               .command = {"awry", "demo", "--seed", std::to_string(options.seed)},
                               .awry_version = std::string(version()),
                               .progress = context.progress(),
                               .cancel = &context.cancel}));
  return show_benchmark(result, context, {.json = options.json, .file = options.output});
}

}  // namespace

std::unique_ptr<CommandInstance> make_demo() {
  return make_command<DemoOptions>(declare, run);
}

}  // namespace awry::cli
