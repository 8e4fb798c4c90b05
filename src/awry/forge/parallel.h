// SPDX-License-Identifier: Apache-2.0
// Many independent items on a few threads. Each has its own random stream, its own files and its own place in
// the result, so the number of threads changes nothing but the time.
#pragma once

#include <cstddef>
#include <functional>

#include "awry/base/cancel.h"
#include "awry/base/result.h"

namespace awry::forge {

struct ParallelOptions {
  int threads = 1;
  std::function<void(std::size_t done, std::size_t total)> on_item;  // never called twice at the same time
  const CancelToken* cancel = nullptr;
};

// Calls work(0) to work(count - 1). After a failure nothing new is begun, and the failure of the lowest
// number is returned; being cancelled is a failure of kind kCancelled.
Result<void> for_each_item(std::size_t count, const std::function<Result<void>(std::size_t)>& work,
                           const ParallelOptions& options);

}  // namespace awry::forge
