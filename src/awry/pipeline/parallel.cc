// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace awry::pipeline {

std::size_t for_each_index(std::size_t count, const ParallelOptions& options,
                           const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0}, done{0};
  std::mutex failure_mutex;
  std::exception_ptr failure;

  const auto take_items = [&] {
    for (;;) {
      if (options.cancel != nullptr && options.cancel->requested()) return;
      const std::size_t index = next.fetch_add(1);
      if (index >= count) return;
      try {
        work(index);
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (!failure) failure = std::current_exception();
        next.store(count);
        return;
      }
      done.fetch_add(1);
      if (options.progress != nullptr) options.progress->add();
    }
  };

  {
    const std::size_t wanted = static_cast<std::size_t>(std::max(1, options.threads));
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < std::min(wanted, count); ++i) helpers.emplace_back(take_items);
    take_items();
  }
  if (failure) std::rethrow_exception(failure);
  return done.load();
}

}  // namespace awry::pipeline
