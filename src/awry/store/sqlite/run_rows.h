// SPDX-License-Identifier: Apache-2.0
// Runs as rows. The status in its column is the one that counts: a repair changes nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/records/run.h"
#include "awry/store/sqlite/connection.h"
#include "awry/store/sqlite/run_locks.h"
#include "awry/store/store.h"

namespace awry::store::sqlite {

// Both take the run's lock when it is kRunning, before anybody can see the row.
Result<void> insert_run(Connection& connection, RunLocks& locks, const Run& run);
Result<void> change_run(Connection& connection, RunLocks& locks, const Run& run);

Result<std::int64_t> run_number(Connection& connection, std::string_view id);  // kNotFound when missing
Result<std::optional<Run>> select_run(Connection& connection, std::string_view id);
Result<std::vector<Run>> select_runs(Connection& connection, const RunFilter& filter);

// Runs whose owner is gone become kInterrupted.
Result<void> mark_interrupted_runs(Connection& connection, const RunLocks& locks);

}  // namespace awry::store::sqlite
