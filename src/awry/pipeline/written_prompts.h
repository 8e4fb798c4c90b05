// SPDX-License-Identifier: Apache-2.0
// MagicBench prompts worded by a language model: what is to be seen is drawn from our lists, by seed; how it
// is said is the model's. Each reply is stored like those of any run, so the same command resumes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/magicmirror/bench_prompts.h"
#include "awry/pipeline/benchmark_run.h"

namespace awry::pipeline {

struct WrittenPrompts {
  std::vector<benchmarks::magicmirror::BenchPrompt> prompts;  // those that were worded
  std::vector<std::string> failures;  // one line for each that was not, or that lost its subject
  std::size_t asked = 0, reused = 0;
  bool interrupted = false, budget_used_up = false;
  Spending spent;
};

// Of `options`: model, endpoint, budget, prices, runs_folder, threads, command, progress and cancel.
Result<WrittenPrompts> write_prompts(const std::vector<benchmarks::magicmirror::BenchPrompt>& drawn,
                                     const BenchmarkOptions& options);

}  // namespace awry::pipeline
