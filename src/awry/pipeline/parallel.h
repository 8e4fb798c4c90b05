// SPDX-License-Identifier: Apache-2.0
// The one place where stages meet threads.
#pragma once

#include <cstddef>
#include <functional>

#include "awry/base/cancel.h"
#include "awry/base/progress.h"

namespace awry::pipeline {

struct ParallelOptions {
  int threads = 1;
  Progress* progress = nullptr;         // told of every finished item
  const CancelToken* cancel = nullptr;  // once requested, what is in flight finishes and nothing new starts
};

// Calls work(0) ... work(count - 1), at most `threads` at a time, each index once. Work writes its result
// to a place of its own, so results do not depend on the number of threads. Returns how many were done.
// An exception thrown by work stops new items and is rethrown here.
std::size_t for_each_index(std::size_t count, const ParallelOptions& options,
                           const std::function<void(std::size_t)>& work);

}  // namespace awry::pipeline
