// SPDX-License-Identifier: Apache-2.0
// What a run would take, without asking anybody.
#pragma once

#include <cstddef>

#include "awry/base/result.h"
#include "awry/pipeline/benchmark_run.h"
#include "awry/records/asking.h"

namespace awry::pipeline {

struct Prepared;

struct EstimatedPart {
  std::size_t questions = 0, known = 0;  // known: answered by earlier runs
  Usage usage;                           // of the others; cost only where there is a price
};

struct Estimate {
  EstimatedPart model, judge;
  std::size_t unjudged = 0;  // questions for a judge, where none is named
};

// Of a run that is ready to begin; answers that are there already are known.
Result<Estimate> estimate_prepared(Prepared& prepared, const BenchmarkOptions& options);

// Later turns and questions to the judge depend on replies. Those that are not known are imagined as the
// protocol says (Protocol::imagine): one that answers nothing, or far too much, leads to fewer or more.
Result<Estimate> estimate_benchmark(const BenchmarkOptions& options);

}  // namespace awry::pipeline
