// SPDX-License-Identifier: Apache-2.0
// The store in one SQLite file. Write-ahead logging, fully synchronous: a commit is on disk, a kill is
// repaired by the next open, and readers see the last commit without waiting for the next.
#pragma once

#include <filesystem>
#include <memory>

#include "awry/base/result.h"
#include "awry/store/store.h"

namespace awry::store::sqlite {

Result<std::unique_ptr<Store>> open_sqlite_store(const std::filesystem::path& path);

}  // namespace awry::store::sqlite
