// SPDX-License-Identifier: Apache-2.0
#include "awry/store/sqlite/sqlite_store.h"
#include "awry/store/store.h"

namespace awry::store {

Result<std::unique_ptr<Store>> open_store(const std::filesystem::path& path) {
  return sqlite::open_sqlite_store(path);
}

}  // namespace awry::store
