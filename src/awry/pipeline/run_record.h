// SPDX-License-Identifier: Apache-2.0
// The run as the store knows it: begun anew, or taken up where a killed or stopped one left off.
#pragma once

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

// The interrupted run with the same digest, or a new one.
Result<OpenedRun> open_run(store::Store& store, const BenchmarkOptions& options, const std::string& digest);

}  // namespace awry::pipeline
