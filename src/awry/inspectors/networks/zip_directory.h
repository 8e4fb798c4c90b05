// SPDX-License-Identifier: Apache-2.0
// Where the files of a zip archive lie, for archives that do not compress.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "awry/base/result.h"

namespace awry::inspectors::networks {

struct ZipEntry {
  std::uint64_t begin = 0, size = 0;
};
using ZipDirectory = std::map<std::string, ZipEntry, std::less<>>;

// Every entry lies within `file`. Compressed entries are an error: torch never writes them.
Result<ZipDirectory> read_zip_directory(std::span<const std::byte> file, std::string_view source);

}  // namespace awry::inspectors::networks
