// SPDX-License-Identifier: Apache-2.0
#include "awry/store/sqlite/run_rows.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "awry/records/json.h"
#include "awry/store/sqlite/row_text.h"

namespace awry::store::sqlite {
namespace {

constexpr std::string_view kRunning = "running", kFinished = "finished", kInterrupted = "interrupted";

std::string_view status_name(RunStatus status) {
  switch (status) {
    case RunStatus::kRunning:
      return kRunning;
    case RunStatus::kFinished:
      return kFinished;
    case RunStatus::kInterrupted:
      break;
  }
  return kInterrupted;
}

RunStatus status_named(std::string_view name) {
  if (name == kRunning) return RunStatus::kRunning;
  return name == kFinished ? RunStatus::kFinished : RunStatus::kInterrupted;
}

// Columns id, status, record.
Result<Run> run_of_row(const Connection& connection, const Statement& row) {
  std::string id = row.text(0);
  AWRY_TRY_ASSIGN(Run run, record_of<Run>(connection, row.text(2), fmt::format("run '{}'", id)));
  run.id = std::move(id);
  run.status = status_named(row.text(1));
  return run;
}

Result<void> own(RunLocks& locks, std::int64_t number, const Run& run) {
  AWRY_TRY_ASSIGN(const bool mine, locks.acquire(number));
  if (mine) return {};
  return fail({.kind = ErrorKind::kInvalid,
               .what = "cannot change run",
               .input = run.id,
               .why = "another process is running it",
               .hint = "Wait for it to finish, or stop it."});
}

}  // namespace

Result<void> insert_run(Connection& connection, RunLocks& locks, const Run& run) {
  AWRY_TRY(require_id(run.id, "run"));
  AWRY_TRY_ASSIGN(const auto existing, select_run(connection, run.id));
  if (existing) {
    return fail({.kind = ErrorKind::kInvalid,
                 .what = "cannot start run",
                 .input = run.id,
                 .why = fmt::format("{} already has a run of this name", connection.path().string()),
                 .hint = "Choose another name, or resume that run."});
  }
  AWRY_TRY(connection.run("INSERT INTO runs (id, digest, status, started, record) VALUES (?, ?, ?, ?, ?)",
                          std::string_view(run.id), std::string_view(run.digest), status_name(run.status),
                          std::string_view(run.started), std::string_view(dump_json(to_json(run)))));
  if (run.status == RunStatus::kRunning) AWRY_TRY(own(locks, connection.last_row_number(), run));
  return {};
}

Result<void> change_run(Connection& connection, RunLocks& locks, const Run& run) {
  AWRY_TRY_ASSIGN(const std::int64_t number, run_number(connection, run.id));
  AWRY_TRY(own(locks, number, run));
  if (run.status != RunStatus::kRunning) locks.release(number);
  return connection.run("UPDATE runs SET digest = ?, status = ?, started = ?, record = ? WHERE number = ?",
                        std::string_view(run.digest), status_name(run.status), std::string_view(run.started),
                        std::string_view(dump_json(to_json(run))), number);
}

Result<std::int64_t> run_number(Connection& connection, std::string_view id) {
  AWRY_TRY_ASSIGN(Statement statement, connection.prepare("SELECT number FROM runs WHERE id = ?"));
  statement.bind(id);
  AWRY_TRY_ASSIGN(const bool found, statement.step());
  if (found) return statement.integer(0);
  return fail({.kind = ErrorKind::kNotFound,
               .what = "cannot find run",
               .input = std::string(id),
               .why = fmt::format("{} has no run of this name", connection.path().string())});
}

Result<std::optional<Run>> select_run(Connection& connection, std::string_view id) {
  AWRY_TRY_ASSIGN(Statement row, connection.prepare("SELECT id, status, record FROM runs WHERE id = ?"));
  row.bind(id);
  AWRY_TRY_ASSIGN(const bool found, row.step());
  if (!found) return std::nullopt;
  AWRY_TRY_ASSIGN(Run run, run_of_row(connection, row));
  return run;
}

Result<std::vector<Run>> select_runs(Connection& connection, const RunFilter& filter) {
  AWRY_TRY_ASSIGN(Statement row, connection.prepare("SELECT id, status, record FROM runs"
                                                    " WHERE ?1 IN ('', digest) AND ?2 IN ('', status)"
                                                    " ORDER BY started DESC, number DESC LIMIT ?3"));
  row.bind(std::string_view(filter.digest), filter.status ? status_name(*filter.status) : "",
           filter.limit == 0 ? std::int64_t{-1} : static_cast<std::int64_t>(filter.limit));
  std::vector<Run> runs;
  for (;;) {
    AWRY_TRY_ASSIGN(const bool found, row.step());
    if (!found) return runs;
    AWRY_TRY_ASSIGN(Run run, run_of_row(connection, row));
    runs.push_back(std::move(run));
  }
}

Result<void> mark_interrupted_runs(Connection& connection, const RunLocks& locks) {
  AWRY_TRY_ASSIGN(const std::int64_t any,
                  connection.integer("SELECT EXISTS (SELECT 1 FROM runs WHERE status = 'running')"));
  if (!any) return {};
  // Inside a transaction nobody can start or finish a run between our looking and our marking.
  AWRY_TRY_ASSIGN(Transaction transaction, Transaction::begin(connection));
  std::vector<std::int64_t> running;
  {
    AWRY_TRY_ASSIGN(Statement row, connection.prepare("SELECT number FROM runs WHERE status = 'running'"));
    for (;;) {
      AWRY_TRY_ASSIGN(const bool found, row.step());
      if (!found) break;
      running.push_back(row.integer(0));
    }
  }
  for (const std::int64_t number : running) {
    AWRY_TRY_ASSIGN(const bool alive, locks.held_elsewhere(number));
    if (alive) continue;
    AWRY_TRY(connection.run("UPDATE runs SET status = 'interrupted' WHERE number = ?", number));
  }
  return transaction.commit();
}

}  // namespace awry::store::sqlite
