// SPDX-License-Identifier: Apache-2.0
// The SQLite C interface as three small owning types. One thread at a time may use a Connection.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "awry/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace awry::store::sqlite {

struct Blob {
  std::string_view bytes;
};

class Connection;

// A prepared statement, borrowed from its connection and given back on destruction.
class Statement {
 public:
  Statement(Connection& connection, std::string sql, sqlite3_stmt* handle);
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;

  // Starts anew with these parameters. They are copied.
  template <class... Values>
  void bind(const Values&... values) {
    rewind();
    int index = 0;
    (bind_one(++index, values), ...);
  }
  Result<bool> step();  // true: there is a row to read

  template <class... Values>
  Result<void> run(const Values&... values) {
    bind(values...);
    return finish();
  }

  std::int64_t integer(int column) const;
  std::string text(int column) const;  // the bytes, of text and blobs alike

 private:
  void rewind();
  void bind_one(int index, std::int64_t value);
  void bind_one(int index, std::string_view value);
  void bind_one(int index, Blob value);
  Result<void> finish();

  Connection* connection_;
  std::string sql_;
  sqlite3_stmt* handle_;
  int bind_error_ = 0;
};

enum class Access { kReadOnly, kReadWrite };

class Connection {
 public:
  // Fully synchronous. Waits up to half a minute for the locks of others.
  static Result<Connection> open(const std::filesystem::path& path, Access access);

  // Takes no lock and runs nothing: only for looking at the file's first bytes.
  static Result<Connection> open_untouched(const std::filesystem::path& path);

  ~Connection();
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) = delete;

  // Several statements without parameters or rows.
  Result<void> script(std::string_view sql);

  // Keeps the statement for the next time it is asked for.
  Result<Statement> prepare(std::string_view sql);

  template <class... Values>
  Result<void> run(std::string_view sql, const Values&... values) {
    AWRY_TRY_ASSIGN(Statement statement, prepare(sql));
    return statement.run(values...);
  }

  // The first column of the first row.
  Result<std::int64_t> integer(std::string_view sql);
  Result<std::string> text(std::string_view sql);

  std::int64_t last_row_number() const;
  bool in_transaction() const;
  bool was_busy() const;  // the last call failed only because of another's lock
  sqlite3* handle() const { return handle_; }
  const std::filesystem::path& path() const { return path_; }

  // What SQLite last complained about, in words for the user.
  Error error(int code) const;

 private:
  friend class Statement;
  Connection(sqlite3* handle, std::filesystem::path path) : handle_(handle), path_(std::move(path)) {}

  sqlite3* handle_;
  std::filesystem::path path_;
  std::unordered_multimap<std::string, sqlite3_stmt*> idle_;
};

// Rolls back when it goes, unless committed.
class Transaction {
 public:
  static Result<Transaction> begin(Connection& connection);
  ~Transaction();
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;

  Result<void> commit();

 private:
  explicit Transaction(Connection& connection) : connection_(&connection) {}
  Connection* connection_;
};

}  // namespace awry::store::sqlite
