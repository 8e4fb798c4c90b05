// SPDX-License-Identifier: Apache-2.0
// The run as the store knows it: begun anew, or taken up where a killed or stopped one left off.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/pipeline/benchmark_run.h"
#include "awry/store/store.h"

namespace awry::pipeline {

struct OpenedRun {
  Run run;
  std::vector<Reply> replies;  // of this run, when it is taken up again
};

// The run that these options ask for, with everything but its id and its times.
Result<Run> run_of(const BenchmarkOptions& options, const std::string& digest);

// The interrupted run with the same digest, or a new one.
Result<OpenedRun> open_run(store::Store& store, Run wanted);

// What a run that is taken up again has paid itself.
Spending spent_before(const OpenedRun& opened);

// The protocol's own switches among a run's settings.
benchmarks::ProtocolOptions protocol_options_of(const Run& run);

// Adds who really answered and judged: the models' names for themselves, with their fingerprints.
void note_who_answered(Run& run, std::span<const Reply* const> answers, std::span<const Reply* const> judged);

}  // namespace awry::pipeline
