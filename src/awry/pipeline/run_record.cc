// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/run_record.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "awry/base/clock.h"
#include "awry/base/text.h"
#include "awry/benchmarks/prompts.h"

namespace awry::pipeline {
namespace {

// What settings_of and note_who_answered add to the protocol's own switches.
constexpr std::array<std::string_view, 10> kNotTheProtocols = {
    "prompts_sha256", "perturb", "marks_from", "judge",       "model_args",
    "judge_args",     "reask",   "rejudged",   "answered_by", "judged_by"};

// Everything that decides the result and is no field of its own. Never a key, a header or an address.
Result<std::map<std::string, std::string>> settings_of(const BenchmarkOptions& options) {
  std::map<std::string, std::string> settings = options.protocol_options;
  if (const benchmarks::Protocol* protocol = benchmarks::find_protocol(options.protocol)) {
    AWRY_TRY_ASSIGN(settings["prompts_sha256"],
                    benchmarks::prompts_hash(*protocol, options.protocol_options));
  }
  if (!options.perturb.empty()) settings["perturb"] = options.perturb;
  if (!options.marks_from.empty()) settings["marks_from"] = options.marks_from;
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

// "gpt-4o-2024-11-20 (fp_1, fp_2)": the models' names for themselves.
std::string names_of_repliers(std::span<const Reply* const> replies) {
  std::map<std::string, std::set<std::string>> fingerprints;
  for (const Reply* reply : replies) {
    if (reply->returned_model.empty()) continue;
    std::set<std::string>& of_model = fingerprints[reply->returned_model];
    if (!reply->fingerprint.empty()) of_model.insert(reply->fingerprint);
  }
  std::vector<std::string> names;
  for (const auto& [model, prints] : fingerprints) {
    names.push_back(prints.empty() ? model : fmt::format("{} ({})", model, fmt::join(prints, ", ")));
  }
  return join(names, "; ");
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

Result<Run> run_of(const BenchmarkOptions& options, const std::string& digest) {
  AWRY_TRY_ASSIGN(auto settings, settings_of(options));
  return Run{.name = options.name,
             .protocol = options.protocol,
             .model = options.model,
             .digest = digest,
             .command = options.command,
             .settings = std::move(settings),
             .seed = options.seed,
             .awry_version = options.awry_version};
}

Result<OpenedRun> open_run(store::Store& store, Run wanted) {
  AWRY_TRY_ASSIGN(std::vector<Run> earlier,
                  store.find_runs({.digest = wanted.digest, .status = RunStatus::kInterrupted, .limit = 1}));
  if (!earlier.empty()) return take_up(store, std::move(earlier.front()));
  // ':' and '/' stand in models' names and would be folders.
  const std::string name = replace_all(replace_all(wanted.name, "/", "-"), ":", "-");
  wanted.id = utc_folder_stamp() + "-" + name;
  wanted.status = RunStatus::kRunning;
  wanted.started = utc_timestamp();
  // Two runs may start within one second.
  const std::string first_choice = wanted.id;
  for (int n = 2;; ++n) {
    AWRY_TRY_ASSIGN(const std::optional<Run> taken, store.find_run(wanted.id));
    if (!taken) break;
    wanted.id = fmt::format("{}-{}", first_choice, n);
  }
  AWRY_TRY(store.start_run(wanted));
  return OpenedRun{.run = std::move(wanted)};
}

// Replies it took from earlier runs are older than it is.
Spending spent_before(const OpenedRun& opened) {
  Spending spent;
  for (const Reply& reply : opened.replies) {
    if (reply.created < opened.run.started) continue;
    ++spent.calls;
    spent.input_tokens += reply.usage.input_tokens;
    spent.output_tokens += reply.usage.output_tokens;
    spent.cost_usd += reply.usage.cost_usd.value_or(0);
  }
  return spent;
}

benchmarks::ProtocolOptions protocol_options_of(const Run& run) {
  benchmarks::ProtocolOptions options = run.settings;
  for (const std::string_view name : kNotTheProtocols) options.erase(std::string(name));
  return options;
}

void note_who_answered(Run& run, std::span<const Reply* const> answers,
                       std::span<const Reply* const> judged) {
  if (const std::string names = names_of_repliers(answers); !names.empty())
    run.settings["answered_by"] = names;
  if (const std::string names = names_of_repliers(judged); !names.empty()) run.settings["judged_by"] = names;
}

}  // namespace awry::pipeline
