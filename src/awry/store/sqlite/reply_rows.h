// SPDX-License-Identifier: Apache-2.0
// Replies as rows: one row per distinct reply, shared, and one row per question of a run that names it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "awry/base/result.h"
#include "awry/records/asking.h"
#include "awry/store/sqlite/connection.h"
#include "awry/store/store.h"

namespace awry::store::sqlite {

struct ReplyRow {
  std::string key, question_id;
  std::int64_t worth = 0;
  std::int64_t checksum = 0;
  std::string record, text;
};

Result<ReplyRow> row_of_reply(const Reply& reply);
Result<void> insert_reply(Connection& connection, std::int64_t run, const ReplyRow& row);
Result<std::optional<Reply>> select_reply(Connection& connection, std::string_view key);
Result<void> visit_replies(Connection& connection, std::int64_t run, const ReplyVisitor& visit);

}  // namespace awry::store::sqlite
