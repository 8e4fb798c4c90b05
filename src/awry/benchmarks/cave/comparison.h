// SPDX-License-Identifier: Apache-2.0
// Two runs on the same images: is one better at describing anomalies, or is it luck?
#pragma once

#include "awry/base/result.h"
#include "awry/records/scoring.h"
#include "awry/score/significance.h"

namespace awry::benchmarks::cave {

// The difference in micro F1, second - first, by the paired bootstrap over the images that both summaries
// hold counts for. The paper's p-values (its Table 7) are one-sided; this one is two-sided.
Result<score::PairedDifference> compare_descriptions(const Summary& first, const Summary& second,
                                                     const score::BootstrapOptions& options = {});

}  // namespace awry::benchmarks::cave
