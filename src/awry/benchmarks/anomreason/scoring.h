// SPDX-License-Identifier: Apache-2.0
// Items -> Summary, shared by scoring and its self-check.
#pragma once

#include <span>

#include "awry/base/result.h"
#include "awry/benchmarks/anomreason/item.h"

namespace awry::benchmarks::anomreason {

// Every metric of the protocol. `summary` keeps its notes and outcomes.
Result<void> summarise(std::span<const Item> items, const Options& options,
                       const score::Similarity::Fields& similarity, Summary& summary);

// All metrics on a tiny made-up dataset answered perfectly, not at all, and perfectly in another order.
Result<void> check_metrics_first(const Options& options);

}  // namespace awry::benchmarks::anomreason
