// SPDX-License-Identifier: Apache-2.0
// The same benchmark on clean images and on every level of damage: one run each, and a page of curves.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/pipeline/benchmark_run.h"

namespace awry::pipeline {

// One kind of damage, from weak to strong: {"blur", {"blur:1", "blur:2"}}.
struct SweepDamage {
  std::string name;
  std::vector<std::string> levels;  // as in BenchmarkOptions::perturb
};

// THEMIS names blur, JPEG and scaling but no strengths; these are ours.
std::vector<SweepDamage> usual_sweep();

// "blur:1,2,4": a kind of damage and its levels; "all": the usual ones.
Result<std::vector<SweepDamage>> parse_sweep(std::span<const std::string> texts);

struct SweepResult {
  BenchmarkResult clean;
  std::vector<BenchmarkResult> damaged;  // in the order of the levels; fewer when stopped early
  bool interrupted = false, budget_used_up = false;
  Spending spent;
  std::filesystem::path page;  // sweeps/<clean run>/report.html; its charts are SVG files beside it
};

// Each level is a run of its own, found again like any other: what was asked before is not asked again, the
// clean run included. The budget is that of all of them together.
Result<SweepResult> run_sweep(const BenchmarkOptions& options, std::span<const SweepDamage> damages);

}  // namespace awry::pipeline
