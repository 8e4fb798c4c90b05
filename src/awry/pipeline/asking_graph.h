// SPDX-License-Identifier: Apache-2.0
// Questions whose replies lead to more questions, for many owners (images) at once.
//
// Every owner goes on as soon as its own replies are there, so the endpoint is kept busy from the first
// question to the last. Owners that began earlier go first: few are open at a time, and a run that is stopped
// leaves whole owners rather than many halves.
//
// Worker threads look up known replies, read pictures and hand questions to the models; replies come back on
// the models' own threads and gather in an inbox; one keeper thread stores whatever has gathered with one
// disk sync, and only then tells the source. Killed at any moment, the next run asks again only what was on
// its way or in that inbox.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "awry/base/cancel.h"
#include "awry/base/progress.h"
#include "awry/pipeline/budget.h"
#include "awry/pipeline/respondent.h"
#include "awry/store/store.h"

namespace awry::pipeline {

struct GraphQuestion {
  const Sample* sample = nullptr;
  Question question;
  int reask = 0;
  std::size_t respondent = 0;  // place in GraphOptions::respondents
  std::size_t ticket = 0;      // the source's own
  std::string key;             // of its reply (reply_key.h); filled in where it is empty
};

// What there is to ask. Called by one thread at a time.
class GraphSource {
 public:
  virtual ~GraphSource() = default;
  virtual std::vector<GraphQuestion> begin(std::size_t owner) = 0;
  // Returns what the reply leads to. An owner is over when nothing of it is left to ask.
  virtual std::vector<GraphQuestion> take(std::size_t owner, const GraphQuestion& question,
                                          const Reply& reply) = 0;
  // Asked of what came in an earlier run, when errors are retried. Any thread.
  virtual bool is_answer(const GraphQuestion&, const Reply&) const { return true; }
};

struct GraphOptions {
  std::vector<Respondent> respondents;
  std::string run_id;
  // Replies that this very run got before it was interrupted, by question: used even with ask_again.
  std::unordered_map<std::string, Reply> own_replies;
  bool ask_again = false;     // do not look for replies of earlier runs
  bool retry_errors = false;  // ask again where a reply came but is no answer
  int threads = 1;
  // Questions with the models, and those together with what came back and is still being stored. A disk that
  // syncs slowly holds up the latter only, so the models are not kept waiting for it.
  std::size_t max_asked = std::numeric_limits<std::size_t>::max(), max_open = 512;
  ProgressOptions progress;
  const CancelToken* cancel = nullptr;
};

struct GraphCounts {
  std::size_t asked = 0, reused = 0;
  bool stopped = false;  // by the user or by the budget: some owners are not over
};

// An error means that replies could not be stored.
Result<GraphCounts> ask_graph(std::size_t owners, GraphSource& source, const GraphOptions& options,
                              store::Store& store, Budget& budget, const std::string& label);

}  // namespace awry::pipeline
