// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/parallel.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace awry::forge {

Result<void> for_each_item(std::size_t count, const std::function<Result<void>(std::size_t)>& work,
                           const ParallelOptions& options) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  std::mutex mutex;
  std::size_t done = 0, first_failed = count;
  std::optional<Error> failure;
  const auto labour = [&] {
    while (!stop && (options.cancel == nullptr || !options.cancel->requested())) {
      const std::size_t i = next++;
      if (i >= count) return;
      auto result = work(i);
      const std::lock_guard lock(mutex);
      if (!result) {
        stop = true;
        if (i < first_failed) first_failed = i, failure = std::move(result).error();
        return;
      }
      ++done;
      if (options.on_item) options.on_item(done, count);
    }
  };
  {
    std::vector<std::jthread> helpers;
    const std::size_t workers = std::min(static_cast<std::size_t>(std::max(1, options.threads)), count);
    for (std::size_t i = 1; i < workers; ++i) helpers.emplace_back(labour);
    labour();
  }
  if (failure) return fail(std::move(*failure));
  if (done < count) {
    return fail({.kind = ErrorKind::kCancelled,
                 .what = "stopped forging",
                 .why = "it was asked to stop",
                 .hint = "The same command goes on."});
  }
  return {};
}

}  // namespace awry::forge
