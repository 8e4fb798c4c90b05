// SPDX-License-Identifier: Apache-2.0
// The tables, as the steps that led to them. A file's user_version counts the steps it has seen.
#pragma once

#include <span>
#include <string_view>

#include "awry/base/result.h"
#include "awry/store/sqlite/connection.h"

namespace awry::store::sqlite {

// Append only: a step that users' files have seen is never edited.
std::span<const std::string_view> migrations();

// Takes the file through the steps it lacks, each in a transaction of its own together with its number.
// Safe when several processes do this at once. A file with more steps than these is refused.
Result<void> migrate(Connection& connection, std::span<const std::string_view> steps);

}  // namespace awry::store::sqlite
