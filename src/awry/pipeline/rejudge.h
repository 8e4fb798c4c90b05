// SPDX-License-Identifier: Apache-2.0
// A finished run judged once more, by another judge: the answers are those that were stored, no model is
// asked again, and the result is a run of its own beside the first.
#pragma once

#include <filesystem>

#include "awry/base/result.h"
#include "awry/pipeline/benchmark_run.h"
#include "awry/pipeline/estimate.h"

namespace awry::pipeline {

// Of `options`, what concerns judging holds: judge, judge_endpoint, budget, prices, reask, retry_errors,
// ask_again, runs_folder, threads, progress. Protocol and its switches are those of the stored run;
// options.protocol_options adds to them and replaces them.
//
// Fails when the protocol asks no judge about these answers, when the run is not finished, and when an image
// is no longer the one that was asked about.
Result<BenchmarkResult> rejudge(const std::filesystem::path& run_folder, BenchmarkOptions options);

// What that would take, without asking anybody.
Result<Estimate> estimate_rejudging(const std::filesystem::path& run_folder, BenchmarkOptions options);

}  // namespace awry::pipeline
