// SPDX-License-Identifier: Apache-2.0
// Reading with limits and writing that survives a crash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "awry/base/result.h"

namespace awry {

inline constexpr std::uint64_t kDefaultReadLimit = 1ULL << 30;

// The whole file. Refuses directories, missing files and files above `limit_bytes` before allocating.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::uint64_t limit_bytes = kDefaultReadLimit);

// Writes beside the target, syncs, then renames: readers see the old file or the new one, never half.
Result<void> write_file(const std::filesystem::path& path, std::string_view content);

// Like create_directories, but an existing file in the way is an error that names it.
Result<void> make_folder(const std::filesystem::path& path);

// A private folder that is removed with everything in it when this object goes.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace awry
