// SPDX-License-Identifier: Apache-2.0
// The rounds of a run: ask, read, ask once more what cannot be read, then ask what the replies lead to.
#pragma once

#include <vector>

#include "awry/base/result.h"
#include "awry/pipeline/prepared_run.h"
#include "awry/report/html.h"

namespace awry::pipeline {

// Everything that has no reply yet, and all that follows from it; stops early, with result.interrupted, when
// the user or the budget says so.
Result<void> ask_everything(Prepared& prepared, const BenchmarkOptions& options, const GraphOptions& asking,
                            store::Store& store, Budget& budget, BenchmarkResult& result);

inline constexpr int kMostRounds = 50;  // a protocol that never stops asking is broken

// What replies lead to: the next turns of conversations, and questions to the judge. Without a judge the
// latter are only counted.
Result<std::vector<Asked*>> follow_up(Prepared& prepared, const BenchmarkOptions& options,
                                      std::size_t& unjudged);

// Samples with their questions, in the order asked, each with its reply and what it means.
std::vector<report::Item> gather_items(const Prepared& prepared);

}  // namespace awry::pipeline
