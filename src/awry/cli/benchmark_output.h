// SPDX-License-Identifier: Apache-2.0
// How a benchmark run is told on the terminal: by `run` and by `demo`.
#pragma once

#include <span>
#include <string>

#include "awry/benchmarks/protocol.h"
#include "awry/cli/context.h"
#include "awry/cli/table.h"
#include "awry/pipeline/benchmark_run.h"

namespace awry::cli {

// "key=value" pairs; anything else is a usage error.
Result<benchmarks::ProtocolOptions> protocol_options_of(std::span<const std::string> pairs);

// The table of metrics to stdout, everything else to stderr. Returns the exit code: partial when a sample
// could not be answered.
Result<int> show_benchmark(const pipeline::BenchmarkResult& result, Context& context,
                           const TableDestination& destination);

}  // namespace awry::cli
