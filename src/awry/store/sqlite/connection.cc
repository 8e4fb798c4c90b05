// SPDX-License-Identifier: Apache-2.0
#include "awry/store/sqlite/connection.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <utility>

namespace awry::store::sqlite {
namespace {

constexpr int kBusyTimeoutMs = 30'000;

Result<sqlite3*> open_handle(const std::filesystem::path& path, int flags) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code == SQLITE_OK) return handle;
  const std::string why = handle ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
  sqlite3_close(handle);
  return fail({.kind = ErrorKind::kIo,
               .what = "cannot open store",
               .input = path.string(),
               .why = why,
               .hint = "Check that the file and its folder may be read and written."});
}

}  // namespace

Statement::Statement(Connection& connection, std::string sql, sqlite3_stmt* handle)
    : connection_(&connection), sql_(std::move(sql)), handle_(handle) {}

Statement::Statement(Statement&& other) noexcept
    : connection_(other.connection_),
      sql_(std::move(other.sql_)),
      handle_(std::exchange(other.handle_, nullptr)),
      bind_error_(other.bind_error_) {}

Statement::~Statement() {
  if (!handle_) return;
  rewind();
  sqlite3_clear_bindings(handle_);
  connection_->idle_.emplace(std::move(sql_), handle_);
}

void Statement::rewind() {
  sqlite3_reset(handle_);  // its code repeats the error of the last step, already reported
  bind_error_ = SQLITE_OK;
}

void Statement::bind_one(int index, std::int64_t value) {
  if (const int code = sqlite3_bind_int64(handle_, index, value)) bind_error_ = code;
}

void Statement::bind_one(int index, std::string_view value) {
  const char* bytes = value.data() ? value.data() : "";  // a null pointer would bind NULL
  if (const int code =
          sqlite3_bind_text64(handle_, index, bytes, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8)) {
    bind_error_ = code;
  }
}

void Statement::bind_one(int index, Blob value) {
  const char* bytes = value.bytes.data() ? value.bytes.data() : "";
  if (const int code = sqlite3_bind_blob64(handle_, index, bytes, value.bytes.size(), SQLITE_TRANSIENT)) {
    bind_error_ = code;
  }
}

Result<bool> Statement::step() {
  if (bind_error_ != SQLITE_OK) return fail(connection_->error(bind_error_));
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return fail(connection_->error(code));
}

Result<void> Statement::finish() {
  for (;;) {
    AWRY_TRY_ASSIGN(const bool row, step());
    if (!row) break;
  }
  rewind();
  return {};
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}

std::string Statement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(handle_, column));
  if (!bytes) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

Result<Connection> Connection::open(const std::filesystem::path& path, Access access) {
  AWRY_TRY_ASSIGN(sqlite3 * handle, open_handle(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
  Connection connection(handle, path);
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  // Files come from anywhere: their schema may not run functions or edit itself, and a damaged cell is
  // an error where it is read rather than a surprise later.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  AWRY_TRY(
      connection.script("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA foreign_keys=ON;"));
  AWRY_TRY(
      connection.script(access == Access::kReadOnly ? "PRAGMA query_only=ON" : "PRAGMA synchronous=FULL"));
  return connection;
}

Result<Connection> Connection::open_untouched(const std::filesystem::path& path) {
  AWRY_TRY_ASSIGN(sqlite3 * handle, open_handle(path, SQLITE_OPEN_READONLY));
  return Connection(handle, path);
}

Connection::Connection(Connection&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)),
      path_(std::move(other.path_)),
      idle_(std::exchange(other.idle_, {})) {}

Connection::~Connection() {
  for (const auto& [sql, statement] : idle_) sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

Result<void> Connection::script(std::string_view sql) {
  const int code = sqlite3_exec(handle_, std::string(sql).c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return fail(error(code));
  return {};
}

Result<Statement> Connection::prepare(std::string_view sql) {
  std::string key(sql);
  if (auto found = idle_.find(key); found != idle_.end()) {
    sqlite3_stmt* handle = found->second;
    idle_.erase(found);
    return Statement(*this, std::move(key), handle);
  }
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  if (code != SQLITE_OK) return fail(error(code));
  return Statement(*this, std::move(key), handle);
}

Result<std::int64_t> Connection::integer(std::string_view sql) {
  AWRY_TRY_ASSIGN(Statement statement, prepare(sql));
  AWRY_TRY(statement.step());
  return statement.integer(0);
}

Result<std::string> Connection::text(std::string_view sql) {
  AWRY_TRY_ASSIGN(Statement statement, prepare(sql));
  AWRY_TRY(statement.step());
  return statement.text(0);
}

std::int64_t Connection::last_row_number() const {
  return sqlite3_last_insert_rowid(handle_);
}

bool Connection::in_transaction() const {
  return sqlite3_get_autocommit(handle_) == 0;
}

bool Connection::was_busy() const {
  return (sqlite3_errcode(handle_) & 0xff) == SQLITE_BUSY;
}

Error Connection::error(int code) const {
  Error error{.kind = ErrorKind::kIo,
              .what = "cannot use store",
              .input = path_.string(),
              .why = sqlite3_errmsg(handle_)};
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR:  // SQL that awry wrote fails only when the file's tables are not awry's
      error.kind = ErrorKind::kInvalid;
      error.why = fmt::format("the file is damaged ({})", sqlite3_errmsg(handle_));
      // Not the command itself: `.recover` fails on every database with the sqlite3 of Debian 12.
      error.hint =
          "Restore a copy, or move it away to start a new one; what is still readable can often be saved as "
          "https://sqlite.org/recovery.html describes.";
      break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      error.hint = fmt::format("Another process kept it locked for {} s: wait for it, or stop it.",
                               kBusyTimeoutMs / 1000);
      break;
    case SQLITE_FULL:
      error.hint = "Free some disk space and run the same command again: what was stored is kept.";
      break;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      error.hint = "Check that the file and its folder may be read and written.";
      break;
    case SQLITE_TOOBIG:
      error.kind = ErrorKind::kLimit;
      break;
    default:
      break;
  }
  return error;
}

Result<Transaction> Transaction::begin(Connection& connection) {
  // IMMEDIATE: wait for other writers here, where waiting is possible, and not in the middle.
  AWRY_TRY(connection.run("BEGIN IMMEDIATE"));
  return Transaction(connection);
}

Transaction::Transaction(Transaction&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)) {}

Transaction::~Transaction() {
  if (connection_ && connection_->in_transaction()) (void)connection_->run("ROLLBACK");
}

Result<void> Transaction::commit() {
  return connection_->run("COMMIT");
}

}  // namespace awry::store::sqlite
