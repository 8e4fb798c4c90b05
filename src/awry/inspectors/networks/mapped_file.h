// SPDX-License-Identifier: Apache-2.0
// A file seen as memory: weights of gigabytes are read where they are needed, and never twice.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "awry/base/result.h"

namespace awry::inspectors::networks {

class MappedFile {
 public:
  static Result<MappedFile> open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  MappedFile() = default;

  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace awry::inspectors::networks
