// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/benchmark_run.h"

#include <utility>

#include "awry/pipeline/carry_out.h"
#include "awry/pipeline/run_record.h"

namespace awry::pipeline {

Result<BenchmarkResult> run_benchmark(const BenchmarkOptions& options) {
  AWRY_TRY_ASSIGN(Prepared prepared, prepare_run(options));
  AWRY_TRY_ASSIGN(Run wanted, run_of(options, digest_of(options, prepared)));
  return carry_out(prepared, std::move(wanted), options);
}

}  // namespace awry::pipeline
