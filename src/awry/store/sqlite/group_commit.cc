// SPDX-License-Identifier: Apache-2.0
#include "awry/store/sqlite/group_commit.h"

#include <exception>
#include <utility>

namespace awry::store::sqlite {

Result<void> GroupCommit::commit(const Work& work) {
  Waiting mine{.work = &work};
  std::unique_lock lock(mutex_);
  queue_.push_back(&mine);
  group_done_.wait(lock, [&] { return mine.done || !somebody_works_; });
  if (mine.done) return std::move(mine.result);

  somebody_works_ = true;
  const std::vector<Waiting*> group = std::exchange(queue_, {});  // mine is among them
  lock.unlock();
  carry_out(group);
  lock.lock();
  for (Waiting* waiting : group) waiting->done = true;
  somebody_works_ = false;
  group_done_.notify_all();
  return std::move(mine.result);
}

void GroupCommit::carry_out(std::span<Waiting* const> group) noexcept {
  const Result<void> committed = carry_out_in_transaction(group);
  if (committed) return;
  for (Waiting* waiting : group) {
    if (waiting->result) waiting->result = committed;
  }
}

Result<void> GroupCommit::carry_out_in_transaction(std::span<Waiting* const> group) {
  AWRY_TRY_ASSIGN(Transaction transaction, Transaction::begin(connection_));
  for (Waiting* waiting : group) {
    waiting->result = carry_out_one(*waiting);
    // A full disk and the like make SQLite undo the whole transaction, earlier work included.
    if (connection_.in_transaction()) continue;
    if (!waiting->result) return waiting->result;
    return fail({.kind = ErrorKind::kIo,
                 .what = "cannot write store",
                 .input = connection_.path().string(),
                 .why = "the transaction was undone"});
  }
  return transaction.commit();
}

Result<void> GroupCommit::carry_out_one(Waiting& waiting) {
  AWRY_TRY(connection_.run("SAVEPOINT one"));
  Result<void> result;
  try {
    result = (*waiting.work)(connection_);
  } catch (const std::exception& exception) {
    result = fail({.kind = ErrorKind::kInvalid,
                   .what = "cannot store a record",
                   .input = connection_.path().string(),
                   .why = exception.what()});
  }
  if (!connection_.in_transaction()) return result;
  if (!result) AWRY_TRY(connection_.run("ROLLBACK TO one"));
  AWRY_TRY(connection_.run("RELEASE one"));
  return result;
}

}  // namespace awry::store::sqlite
