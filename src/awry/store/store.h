// SPDX-License-Identifier: Apache-2.0
// Where runs live: their samples, the replies they paid for, verdicts and the summary of scores.
//
// The promise. When put_reply returns, the reply is on disk: killing the process at any later moment, or
// losing power, does not lose it. A call that fails, or that never returned, has left all of its records
// or none. The same holds for every verb that writes.
//
// Replies are a cache shared by all runs, found by their content key, and are only ever added. What a run
// has seen therefore never changes under it, and a failure never hides an answer: see find_reply.
//
// Everything comes back as it was put. The text of a reply and all ids keep every byte, whatever the
// model sent; other text is kept as JSON, where bytes that are not UTF-8 become U+FFFD.
//
// Threads: any verb from any thread. Writers that arrive together share one disk sync, so many threads
// putting single replies is a fine way to use this. Processes: several may open the same file; readers
// never wait. Only one process at a time owns a running run.
//
// Not here: parsed answers (parse them again, that is free), pixels, deleting. The file must be on a
// local disk; many machines want a database server behind this same interface.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/records/asking.h"
#include "awry/records/judging.h"
#include "awry/records/run.h"
#include "awry/records/sample.h"
#include "awry/records/scoring.h"

namespace awry::store {

struct RunFilter {
  std::string digest;               // empty: any
  std::optional<RunStatus> status;  // empty: any
  std::size_t limit = 0;            // 0: all
};

// An error stops the walk and is handed on. May call any verb of the same store.
using ReplyVisitor = std::function<Result<void>(Reply)>;

class Store {
 public:
  virtual ~Store() = default;

  // A run that is kRunning belongs to this Store until it is updated to another status or this Store is
  // closed. When its owner dies, the next open_store marks it kInterrupted.
  virtual Result<void> start_run(const Run& run) = 0;   // the id must be new
  virtual Result<void> update_run(const Run& run) = 0;  // refused when another owner is running it
  virtual Result<std::optional<Run>> find_run(std::string_view id) = 0;
  virtual Result<std::vector<Run>> find_runs(const RunFilter& filter) = 0;  // newest first

  // A sample put again replaces itself and keeps its place.
  virtual Result<void> put_samples(std::string_view run_id, std::span<const Sample> samples) = 0;
  virtual Result<std::vector<Sample>> samples_of(std::string_view run_id) = 0;  // as first put

  // All of them or none. Within a run each question has one reply: the latest, except that a failure does
  // not take the place of an answer to the same key. Putting a reply that find_reply gave back lets
  // another run use it (under its own question_id) without storing it twice.
  virtual Result<void> put_replies(std::string_view run_id, std::span<const Reply> replies) = 0;
  Result<void> put_reply(std::string_view run_id, const Reply& reply) {
    return put_replies(run_id, {&reply, 1});
  }

  // The most useful reply any run got for this key: answered before one that came but is no answer (refused,
  // truncated) before none at all (transport); the latest among equals. Its outcome says whether to ask
  // again; its question_id is that of whoever asked first.
  virtual Result<std::optional<Reply>> find_reply(std::string_view key) = 0;

  // Ordered by question id, so that the order does not depend on which thread was faster.
  virtual Result<void> replies_of(std::string_view run_id, const ReplyVisitor& visit) = 0;

  // A verdict put again replaces itself and keeps its place.
  virtual Result<void> put_verdict(std::string_view run_id, const Verdict& verdict) = 0;
  virtual Result<std::vector<Verdict>> verdicts_of(std::string_view run_id) = 0;  // as first put

  virtual Result<void> put_summary(std::string_view run_id, const Summary& summary) = 0;  // replaces
  virtual Result<std::optional<Summary>> summary_of(std::string_view run_id) = 0;
};

// Opens the store in this file, creating it (and its folder) when there is none, bringing an older one up
// to date, and repairing what a killed process left. A file that is not an awry store is refused and left
// untouched, as is one written by a newer awry.
Result<std::unique_ptr<Store>> open_store(const std::filesystem::path& path);

}  // namespace awry::store
