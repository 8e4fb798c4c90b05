// SPDX-License-Identifier: Apache-2.0
// From a prepared run to its scores and files: opened or taken up again, asked, scored, written.
#pragma once

#include "awry/base/result.h"
#include "awry/pipeline/prepared_run.h"

namespace awry::pipeline {

// `wanted` is the run without id and times (run_record.h). Questions that have a reply already are kept as
// they are.
Result<BenchmarkResult> carry_out(Prepared& prepared, Run wanted, const BenchmarkOptions& options);

}  // namespace awry::pipeline
