// SPDX-License-Identifier: Apache-2.0
// Everything a run needs before the first question leaves.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "awry/base/result.h"
#include "awry/pipeline/asking.h"
#include "awry/pipeline/benchmark_run.h"

namespace awry::pipeline {

struct Prepared {
  const benchmarks::Protocol* protocol = nullptr;
  std::unique_ptr<Model> model, judge;  // no model: its answers are there already; no judge: nobody judges
  std::string identity;                 // of whoever answered, where there is no model
  Respondent answerer, judging;
  benchmarks::Dataset dataset;
  std::deque<Asked> asked;  // grows with every round; items never move
};

// Reads the data, makes the models and writes the first round of questions.
Result<Prepared> prepare_run(const BenchmarkOptions& options);

// The protocol, if it can ask questions.
Result<const benchmarks::Protocol*> protocol_for_running(const std::string& name);

// Makes and prices the judge; with an empty name there is none.
Result<void> prepare_judge(Prepared& prepared, const std::string& name, const BenchmarkOptions& options);

// Fails where --max-cost cannot be kept because a price is not known.
Result<void> check_budget(const BenchmarkOptions& options, const Prepared& prepared);

// Of everything that decides the result: runs with the same digest take each other up.
std::string digest_of(const BenchmarkOptions& options, const Prepared& prepared);

}  // namespace awry::pipeline
