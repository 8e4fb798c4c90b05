// SPDX-License-Identifier: Apache-2.0
#include "awry/store/sqlite/reply_rows.h"

#include <fmt/format.h>

#include <utility>

#include "awry/base/hash.h"
#include "awry/store/sqlite/row_text.h"

namespace awry::store::sqlite {
namespace {

std::int64_t worth_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kAnswered:
      return 2;
    case Outcome::kRefused:
    case Outcome::kTruncated:
    case Outcome::kUnparsable:
    case Outcome::kJudgeFailed:
      return 1;
    case Outcome::kTransport:
    case Outcome::kUnreadable:
      break;
  }
  return 0;
}

std::int64_t checksum_of(std::string_view record, std::string_view text) {
  const std::string whole = fmt::format("{} {} {}", record.size(), record, text);
  return static_cast<std::int64_t>(stable_hash64(whole));
}

// Columns key, checksum, record, text, question_id.
Result<Reply> reply_of_row(const Connection& connection, const Statement& row) {
  std::string key = row.text(0);
  const std::string name = fmt::format("reply {}", key);
  const std::string record = row.text(2);
  std::string text = row.text(3);
  if (checksum_of(record, text) != row.integer(1)) {
    return fail({.kind = ErrorKind::kInvalid,
                 .what = "cannot read stored reply",
                 .input = fmt::format("{}: {}", connection.path().string(), name),
                 .why = "it is not what was written: the file is damaged",
                 .hint = "Restore a copy of the store, or move it away and ask again."});
  }
  AWRY_TRY_ASSIGN(Reply reply, record_of<Reply>(connection, record, name));
  reply.key = std::move(key);
  reply.text = std::move(text);
  reply.question_id = row.text(4);
  return reply;
}

// The same reply of the same key, put before by this run or another.
Result<std::optional<std::int64_t>> find_same_reply(Connection& connection, const ReplyRow& row) {
  AWRY_TRY_ASSIGN(Statement same,
                  connection.prepare("SELECT number FROM replies WHERE key = ? AND checksum = ? AND text = ?"
                                     " ORDER BY number LIMIT 1"));
  same.bind(std::string_view(row.key), row.checksum, Blob{row.text});
  AWRY_TRY_ASSIGN(const bool found, same.step());
  if (!found) return std::nullopt;
  return same.integer(0);
}

}  // namespace

Result<ReplyRow> row_of_reply(const Reply& reply) {
  if (reply.key.empty() || reply.question_id.empty()) {
    return fail({.kind = ErrorKind::kInvalid,
                 .what = "cannot store reply",
                 .input = reply.key.empty() ? reply.question_id : reply.key,
                 .why = reply.key.empty() ? "its key is empty" : "its question_id is empty"});
  }
  Reply slim = reply;
  slim.key.clear();
  slim.text.clear();
  slim.question_id.clear();
  ReplyRow row{.key = reply.key,
               .question_id = reply.question_id,
               .worth = worth_of(reply.outcome),
               .record = dump_json(to_json(slim)),
               .text = reply.text};
  row.checksum = checksum_of(row.record, row.text);
  return row;
}

Result<void> insert_reply(Connection& connection, std::int64_t run, const ReplyRow& row) {
  AWRY_TRY_ASSIGN(std::optional<std::int64_t> number, find_same_reply(connection, row));
  if (!number) {
    AWRY_TRY(
        connection.run("INSERT INTO replies (key, worth, checksum, first_question, record, text)"
                       " VALUES (?, ?, ?, ?, ?, ?)",
                       std::string_view(row.key), row.worth, row.checksum, std::string_view(row.question_id),
                       std::string_view(row.record), Blob{row.text}));
    number = connection.last_row_number();
  }
  return connection.run(
      "INSERT INTO run_replies (run, question_id, reply) VALUES (?, ?, ?)"
      " ON CONFLICT (run, question_id) DO UPDATE SET reply = excluded.reply"
      " WHERE NOT EXISTS (SELECT 1 FROM replies AS old JOIN replies AS new USING (key)"
      "   WHERE old.number = run_replies.reply AND new.number = excluded.reply AND old.worth > new.worth)",
      run, std::string_view(row.question_id), *number);
}

Result<std::optional<Reply>> select_reply(Connection& connection, std::string_view key) {
  AWRY_TRY_ASSIGN(Statement row,
                  connection.prepare("SELECT key, checksum, record, text, first_question FROM replies"
                                     " WHERE key = ? ORDER BY worth DESC, number DESC LIMIT 1"));
  row.bind(key);
  AWRY_TRY_ASSIGN(const bool found, row.step());
  if (!found) return std::nullopt;
  AWRY_TRY_ASSIGN(Reply reply, reply_of_row(connection, row));
  return reply;
}

Result<void> visit_replies(Connection& connection, std::int64_t run, const ReplyVisitor& visit) {
  AWRY_TRY_ASSIGN(Statement row,
                  connection.prepare("SELECT key, checksum, record, text, question_id FROM run_replies"
                                     " JOIN replies ON replies.number = run_replies.reply"
                                     " WHERE run = ? ORDER BY question_id"));
  row.bind(run);
  for (;;) {
    AWRY_TRY_ASSIGN(const bool found, row.step());
    if (!found) return {};
    AWRY_TRY_ASSIGN(Reply reply, reply_of_row(connection, row));
    AWRY_TRY(visit(std::move(reply)));
  }
}

}  // namespace awry::store::sqlite
