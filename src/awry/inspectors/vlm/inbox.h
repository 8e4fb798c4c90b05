// SPDX-License-Identifier: Apache-2.0
// Carries replies, or what travels with them, from the engine's thread to whoever stores them, in batches
// that grow with the load.
#pragma once

#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

namespace awry::inspectors::vlm {

template <class T>
class Inbox {
 public:
  void put(T item) {
    {
      const std::lock_guard lock(mutex_);
      items_.push_back(std::move(item));
    }
    arrived_.notify_one();
  }

  // No more will come.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    arrived_.notify_all();
  }

  // Waits for at least one; empty means closed, and nothing left.
  std::vector<T> take_all() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return closed_ || !items_.empty(); });
    return std::exchange(items_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<T> items_;
  bool closed_ = false;
};

}  // namespace awry::inspectors::vlm
