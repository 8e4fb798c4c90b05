// SPDX-License-Identifier: Apache-2.0
// Stopping politely: the first Ctrl-C lets what is in flight finish and be saved, the second aborts.
#pragma once

#include <atomic>

namespace awry {

// Shared by reference; whoever does long work asks it between items.
class CancelToken {
 public:
  bool requested() const { return requested_.load(std::memory_order_relaxed); }
  void request() { requested_.store(true, std::memory_order_relaxed); }

 private:
  std::atomic<bool> requested_{false};
};

// Handles SIGINT and SIGTERM for the life of this object. At most one exists at a time.
class SignalScope {
 public:
  explicit SignalScope(CancelToken& token);
  ~SignalScope();
  SignalScope(const SignalScope&) = delete;
  SignalScope& operator=(const SignalScope&) = delete;

  // The signal that asked to stop (SIGINT, SIGTERM), or 0. The exit code is 128 + this.
  static int signal_received();
};

}  // namespace awry
