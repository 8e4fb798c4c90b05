// SPDX-License-Identifier: Apache-2.0
// Carries replies from the engine's thread to whoever stores them, in batches that grow with the load.
#pragma once

#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include "awry/records/asking.h"

namespace awry::inspectors::vlm {

class ReplyInbox {
 public:
  void put(Reply reply) {
    {
      const std::lock_guard lock(mutex_);
      replies_.push_back(std::move(reply));
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
  std::vector<Reply> take_all() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return closed_ || !replies_.empty(); });
    return std::exchange(replies_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Reply> replies_;
  bool closed_ = false;
};

}  // namespace awry::inspectors::vlm
