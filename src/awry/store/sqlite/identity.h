// SPDX-License-Identifier: Apache-2.0
// Is this file ours to touch? Decided from its first bytes, before SQLite may lock, recover or write.
#pragma once

#include <cstdint>
#include <filesystem>

#include "awry/base/result.h"

namespace awry::store::sqlite {

inline constexpr std::int64_t kApplicationId = 0x61777279;  // "awry", in the header of every store

// Fine when the file is missing, empty, or a store. Anything else is an error and stays as it is.
Result<void> check_identity(const std::filesystem::path& path);

}  // namespace awry::store::sqlite
