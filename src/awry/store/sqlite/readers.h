// SPDX-License-Identifier: Apache-2.0
// Connections for reading, one per concurrent reader: nobody waits for the writer or for a slow visitor.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "awry/base/result.h"
#include "awry/store/sqlite/connection.h"

namespace awry::store::sqlite {

class Readers {
 public:
  explicit Readers(std::filesystem::path path) : path_(std::move(path)) {}

  // Calls read(connection) and returns what it returns.
  template <class Read>
  auto with_connection(const Read& read) -> decltype(read(std::declval<Connection&>())) {
    AWRY_TRY_ASSIGN(std::unique_ptr<Connection> connection, borrow());
    auto result = read(*connection);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(connection));
    return result;
  }

 private:
  Result<std::unique_ptr<Connection>> borrow() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto connection = std::move(idle_.back());
        idle_.pop_back();
        return connection;
      }
    }
    AWRY_TRY_ASSIGN(Connection connection, Connection::open(path_, Access::kReadOnly));
    return std::make_unique<Connection>(std::move(connection));
  }

  std::filesystem::path path_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_;
};

}  // namespace awry::store::sqlite
