// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/run_record.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "awry/base/clock.h"
#include "awry/base/text.h"
#include "awry/benchmarks/prompts.h"

namespace awry::pipeline {
namespace {

// Everything that decides the result and is no field of its own. Never a key, a header or an address.
Result<std::map<std::string, std::string>> settings_of(const BenchmarkOptions& options) {
  std::map<std::string, std::string> settings = options.protocol_options;
  if (const benchmarks::Protocol* protocol = benchmarks::find_protocol(options.protocol)) {
    AWRY_TRY_ASSIGN(settings["prompts_sha256"],
                    benchmarks::prompts_hash(*protocol, options.protocol_options));
  }
  if (!options.perturb.empty()) settings["perturb"] = options.perturb;
  if (!options.judge.empty()) settings["judge"] = options.judge;
  if (!options.endpoint.model_args.empty()) {
    settings["model_args"] = join(options.endpoint.model_args, " ");
  }
  if (!options.judge_endpoint.model_args.empty()) {
    settings["judge_args"] = join(options.judge_endpoint.model_args, " ");
  }
  if (options.reask > 0) settings["reask"] = std::to_string(options.reask);
  return settings;
}

Result<OpenedRun> take_up(store::Store& store, Run run) {
  OpenedRun opened;
  AWRY_TRY(store.replies_of(run.id, [&](Reply reply) -> Result<void> {
    opened.replies.push_back(std::move(reply));
    return {};
  }));
  run.status = RunStatus::kRunning;
  AWRY_TRY(store.update_run(run));
  opened.run = std::move(run);
  return opened;
}

}  // namespace

Result<OpenedRun> open_run(store::Store& store, const BenchmarkOptions& options, const std::string& digest) {
  AWRY_TRY_ASSIGN(std::vector<Run> earlier,
                  store.find_runs({.digest = digest, .status = RunStatus::kInterrupted, .limit = 1}));
  if (!earlier.empty()) return take_up(store, std::move(earlier.front()));
  AWRY_TRY_ASSIGN(auto settings, settings_of(options));
  // ':' and '/' stand in models' names and would be folders.
  const std::string name = replace_all(replace_all(options.name, "/", "-"), ":", "-");
  Run run{.id = utc_folder_stamp() + "-" + name,
          .name = options.name,
          .protocol = options.protocol,
          .model = options.model,
          .digest = digest,
          .command = options.command,
          .settings = std::move(settings),
          .seed = options.seed,
          .awry_version = options.awry_version,
          .status = RunStatus::kRunning,
          .started = utc_timestamp()};
  // Two runs may start within one second.
  const std::string first_choice = run.id;
  for (int n = 2;; ++n) {
    AWRY_TRY_ASSIGN(const std::optional<Run> taken, store.find_run(run.id));
    if (!taken) break;
    run.id = fmt::format("{}-{}", first_choice, n);
  }
  AWRY_TRY(store.start_run(run));
  return OpenedRun{.run = std::move(run)};
}

}  // namespace awry::pipeline
