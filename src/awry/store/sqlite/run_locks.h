// SPDX-License-Identifier: Apache-2.0
// Who is alive: a process holds a lock for every run it is running, and the kernel lets go of it however
// the process ends.
//
// A recorded process id would need its start time and the boot id beside it, and would still be wrong
// between containers that share the file, where the same id means another process. A lock has none of
// these doubts. The locks are bytes of an empty file beside the store: run number n is byte n.
#pragma once

#include <cstdint>
#include <filesystem>

#include "awry/base/result.h"

namespace awry::store::sqlite {

class RunLocks {
 public:
  static Result<RunLocks> open(const std::filesystem::path& store_path);
  ~RunLocks();  // releases them all
  RunLocks(RunLocks&& other) noexcept;
  RunLocks& operator=(RunLocks&&) = delete;

  Result<bool> acquire(std::int64_t run);  // false: somebody else has it
  void release(std::int64_t run);
  Result<bool> held_elsewhere(std::int64_t run) const;

 private:
  RunLocks(int descriptor, std::filesystem::path path) : descriptor_(descriptor), path_(std::move(path)) {}
  int descriptor_;
  std::filesystem::path path_;
};

}  // namespace awry::store::sqlite
