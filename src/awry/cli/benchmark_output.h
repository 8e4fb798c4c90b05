// SPDX-License-Identifier: Apache-2.0
// How scores are told on the terminal: by `run`, `demo` and `score`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "awry/benchmarks/protocol.h"
#include "awry/cli/context.h"
#include "awry/cli/endpoint_options.h"
#include "awry/cli/table.h"
#include "awry/pipeline/benchmark_run.h"
#include "awry/pipeline/estimate.h"

namespace awry::cli {

// --option KEY=VALUE, as often as wanted.
void declare_protocol_options(OptionSet& set, std::vector<std::string>& pairs);
void explain_switches(OptionSet& set);  // of every protocol, in the help page
// "key=value" pairs; anything else is a usage error.
Result<benchmarks::ProtocolOptions> protocol_options_of(std::span<const std::string> pairs);

// The protocol, or a usage error that names the nearest.
Result<const benchmarks::Protocol*> protocol_called(const std::string& name);
std::string protocol_names();  // "anomreason, themis"

// Where groups are names from the user's data, none is a part of another: all are shown.
enum class Groups { kWithParts, kNames };

// The metrics of a summary as a table, or as JSON with the keys of the papers. `extra` joins the JSON's top
// level: {"run", "..."}.
using JsonFields = std::vector<std::pair<std::string, std::string>>;
Result<void> write_summary(const Summary& summary, Context& context, const TableDestination& destination,
                           const JsonFields& extra = {}, Groups groups = Groups::kWithParts);

void say_outcomes(const Summary& summary, Context& context);

// A whole run: the table of metrics to stdout, everything else to stderr. Returns the exit code: partial
// when a sample could not be answered.
Result<int> show_benchmark(const pipeline::BenchmarkResult& result, Context& context,
                           const TableDestination& destination);

// What a run would take: model and judge in a row each.
Result<int> show_estimate(const pipeline::Estimate& estimate, const std::string& model,
                          const std::string& judge, Context& context, const TableDestination& destination);

// Runs that ended early, and how to go on. They return the exit code.
int say_budget_used_up(const pipeline::BenchmarkResult& result, const std::vector<std::string>& command,
                       const BudgetOptions& budget, Context& context);
int say_batch_waits(const pipeline::BenchmarkResult& result, const std::filesystem::path& folder,
                    Context& context);

}  // namespace awry::cli
