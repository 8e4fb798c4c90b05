// SPDX-License-Identifier: Apache-2.0
// Many threads, one disk sync.
//
// The sync at the end of a transaction costs milliseconds, whatever the transaction holds. So threads
// queue up their work; one of them carries out all that is waiting in a single transaction, while those
// that arrive meanwhile form the next group. A thread that comes alone waits for nobody.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "awry/base/result.h"
#include "awry/store/sqlite/connection.h"

namespace awry::store::sqlite {

class GroupCommit {
 public:
  using Work = std::function<Result<void>(Connection&)>;

  explicit GroupCommit(Connection connection) : connection_(std::move(connection)) {}

  // Returns once the work is durable, or undone. May run on the thread of another caller. The work of one
  // never fails for an error of another, unless the disk fails all of them.
  Result<void> commit(const Work& work);

 private:
  struct Waiting {
    const Work* work;
    Result<void> result;
    bool done = false;
  };
  void carry_out(std::span<Waiting* const> group) noexcept;  // others wait for its end, so it has one
  Result<void> carry_out_in_transaction(std::span<Waiting* const> group);
  Result<void> carry_out_one(Waiting& waiting);

  std::mutex mutex_;
  std::condition_variable group_done_;
  std::vector<Waiting*> queue_;
  bool somebody_works_ = false;
  Connection connection_;  // of whoever set somebody_works_
};

}  // namespace awry::store::sqlite
