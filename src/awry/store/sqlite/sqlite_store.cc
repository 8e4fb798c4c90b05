// SPDX-License-Identifier: Apache-2.0
#include "awry/store/sqlite/sqlite_store.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <unordered_set>
#include <utility>

#include "awry/base/files.h"
#include "awry/store/sqlite/group_commit.h"
#include "awry/store/sqlite/identity.h"
#include "awry/store/sqlite/readers.h"
#include "awry/store/sqlite/reply_rows.h"
#include "awry/store/sqlite/row_text.h"
#include "awry/store/sqlite/run_locks.h"
#include "awry/store/sqlite/run_rows.h"
#include "awry/store/sqlite/schema.h"

namespace awry::store::sqlite {
namespace {

// The records of a run in the table's own order; the query gives the columns id and record.
template <class T>
Result<std::vector<T>> select_records(Connection& connection, std::string_view sql, std::string_view kind,
                                      std::string_view run_id) {
  AWRY_TRY_ASSIGN(const std::int64_t run, run_number(connection, run_id));
  AWRY_TRY_ASSIGN(Statement row, connection.prepare(sql));
  row.bind(run);
  std::vector<T> records;
  for (;;) {
    AWRY_TRY_ASSIGN(const bool found, row.step());
    if (!found) return records;
    std::string id = row.text(0);
    AWRY_TRY_ASSIGN(T record, record_of<T>(connection, row.text(1), fmt::format("{} '{}'", kind, id)));
    record.id = std::move(id);
    records.push_back(std::move(record));
  }
}

class SqliteStore final : public Store {
 public:
  SqliteStore(const std::filesystem::path& path, Connection writer, RunLocks locks)
      : locks_(std::move(locks)), writer_(std::move(writer)), readers_(path) {}

  Result<void> start_run(const Run& run) override {
    return writer_.commit([&](Connection& connection) { return insert_run(connection, locks_, run); });
  }

  Result<void> update_run(const Run& run) override {
    return writer_.commit([&](Connection& connection) { return change_run(connection, locks_, run); });
  }

  Result<std::optional<Run>> find_run(std::string_view id) override {
    return readers_.with_connection([&](Connection& connection) { return select_run(connection, id); });
  }

  Result<std::vector<Run>> find_runs(const RunFilter& filter) override {
    return readers_.with_connection([&](Connection& connection) { return select_runs(connection, filter); });
  }

  Result<void> put_samples(std::string_view run_id, std::span<const Sample> samples) override {
    std::vector<std::string> records;  // written here, on the caller's thread, before the queue for the disk
    std::unordered_set<std::string_view> ids;
    for (const Sample& sample : samples) {
      AWRY_TRY(require_id(sample.id, "sample"));
      if (!ids.insert(sample.id).second) {
        return fail({.kind = ErrorKind::kInvalid,
                     .what = "cannot store samples",
                     .input = sample.id,
                     .why = "two samples have this id"});
      }
      records.push_back(dump_json(to_json(sample)));
    }
    return writer_.commit([&](Connection& connection) -> Result<void> {
      AWRY_TRY_ASSIGN(const std::int64_t run, run_number(connection, run_id));
      AWRY_TRY_ASSIGN(Statement insert,
                      connection.prepare("INSERT INTO samples (run, id, record) VALUES (?, ?, ?)"
                                         " ON CONFLICT (run, id) DO UPDATE SET record = excluded.record"));
      for (std::size_t i = 0; i < samples.size(); ++i) {
        AWRY_TRY(insert.run(run, std::string_view(samples[i].id), std::string_view(records[i])));
      }
      return {};
    });
  }

  Result<std::vector<Sample>> samples_of(std::string_view run_id) override {
    return readers_.with_connection([&](Connection& connection) {
      return select_records<Sample>(
          connection, "SELECT id, record FROM samples WHERE run = ? ORDER BY number", "sample", run_id);
    });
  }

  Result<void> put_replies(std::string_view run_id, std::span<const Reply> replies) override {
    std::vector<ReplyRow> rows;
    for (const Reply& reply : replies) {
      AWRY_TRY_ASSIGN(ReplyRow row, row_of_reply(reply));
      rows.push_back(std::move(row));
    }
    return writer_.commit([&](Connection& connection) -> Result<void> {
      AWRY_TRY_ASSIGN(const std::int64_t run, run_number(connection, run_id));
      for (const ReplyRow& row : rows) AWRY_TRY(insert_reply(connection, run, row));
      return {};
    });
  }

  Result<std::optional<Reply>> find_reply(std::string_view key) override {
    return readers_.with_connection([&](Connection& connection) { return select_reply(connection, key); });
  }

  Result<void> replies_of(std::string_view run_id, const ReplyVisitor& visit) override {
    return readers_.with_connection([&](Connection& connection) -> Result<void> {
      AWRY_TRY_ASSIGN(const std::int64_t run, run_number(connection, run_id));
      return visit_replies(connection, run, visit);
    });
  }

  Result<void> put_verdict(std::string_view run_id, const Verdict& verdict) override {
    AWRY_TRY(require_id(verdict.id, "verdict"));
    const std::string record = dump_json(to_json(verdict));
    return writer_.commit([&](Connection& connection) -> Result<void> {
      AWRY_TRY_ASSIGN(const std::int64_t run, run_number(connection, run_id));
      return connection.run(
          "INSERT INTO verdicts (run, id, record) VALUES (?, ?, ?)"
          " ON CONFLICT (run, id) DO UPDATE SET record = excluded.record",
          run, std::string_view(verdict.id), std::string_view(record));
    });
  }

  Result<std::vector<Verdict>> verdicts_of(std::string_view run_id) override {
    return readers_.with_connection([&](Connection& connection) {
      return select_records<Verdict>(
          connection, "SELECT id, record FROM verdicts WHERE run = ? ORDER BY number", "verdict", run_id);
    });
  }

  Result<void> put_summary(std::string_view run_id, const Summary& summary) override {
    const std::string record = dump_json(to_json(summary));
    return writer_.commit([&](Connection& connection) -> Result<void> {
      AWRY_TRY_ASSIGN(const std::int64_t run, run_number(connection, run_id));
      return connection.run(
          "INSERT INTO summaries (run, record) VALUES (?, ?)"
          " ON CONFLICT (run) DO UPDATE SET record = excluded.record",
          run, std::string_view(record));
    });
  }

  Result<std::optional<Summary>> summary_of(std::string_view run_id) override {
    return readers_.with_connection([&](Connection& connection) -> Result<std::optional<Summary>> {
      AWRY_TRY_ASSIGN(const std::int64_t run, run_number(connection, run_id));
      AWRY_TRY_ASSIGN(Statement row, connection.prepare("SELECT record FROM summaries WHERE run = ?"));
      row.bind(run);
      AWRY_TRY_ASSIGN(const bool found, row.step());
      if (!found) return std::nullopt;
      AWRY_TRY_ASSIGN(Summary summary, record_of<Summary>(connection, row.text(0),
                                                          fmt::format("summary of run '{}'", run_id)));
      return summary;
    });
  }

 private:
  // Closed from the last to the first: the writer tidies its log away when no reader is left, and our runs
  // are ours until then.
  RunLocks locks_;
  GroupCommit writer_;
  Readers readers_;
};

// Several processes may try this on a new file at once, and SQLite then says "busy" without waiting.
Result<void> use_write_ahead_log(Connection& connection) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  for (;;) {
    const Result<std::string> mode = connection.text("PRAGMA journal_mode=WAL");
    if (mode && *mode == "wal") return {};
    if (mode) {
      return fail({.kind = ErrorKind::kUnsupported,
                   .what = "cannot open store",
                   .input = connection.path().string(),
                   .why = "its file system lacks the shared memory that SQLite's write-ahead log needs",
                   .hint = "Put the store on a local disk."});
    }
    if (!connection.was_busy() || std::chrono::steady_clock::now() > deadline) {
      return fail(mode.error());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(const std::filesystem::path& given) {
  if (given.empty() || given.native().find('\0') != std::string::npos) {
    return fail(
        {.kind = ErrorKind::kUsage, .what = "cannot open store", .why = "it has no usable file name"});
  }
  // Absolute, because SQLite gives names such as ":memory:" a meaning of their own.
  const std::filesystem::path path = std::filesystem::absolute(given);
  AWRY_TRY(make_folder(path.parent_path()));
  AWRY_TRY(check_identity(path));
  AWRY_TRY_ASSIGN(Connection connection, Connection::open(path, Access::kReadWrite));
  AWRY_TRY(migrate(connection, migrations()));
  AWRY_TRY(use_write_ahead_log(connection));
  AWRY_TRY_ASSIGN(RunLocks locks, RunLocks::open(path));
  AWRY_TRY(mark_interrupted_runs(connection, locks));
  return std::make_unique<SqliteStore>(path, std::move(connection), std::move(locks));
}

}  // namespace awry::store::sqlite
