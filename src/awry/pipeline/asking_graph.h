// SPDX-License-Identifier: Apache-2.0
// Questions whose replies lead to more questions, for many owners (images) at once.
//
// Where ask_round() waits for a whole round, here every owner goes on as soon as its own replies are there,
// so the endpoint is kept busy from the first question to the last. Owners that began earlier go first: few
// are open at a time, and a run that is stopped leaves whole owners rather than many halves. As with
// ask_round(), a reply is on disk before anybody reads it, and known ones are never asked for again.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "awry/pipeline/asking.h"

namespace awry::pipeline {

struct GraphQuestion {
  const Sample* sample = nullptr;
  Question question;
  int reask = 0;
  std::size_t respondent = 0;  // place in GraphOptions::respondents
  std::size_t ticket = 0;      // the source's own
};

// What there is to ask. Called by one thread at a time.
class GraphSource {
 public:
  virtual ~GraphSource() = default;
  virtual std::vector<GraphQuestion> begin(std::size_t owner) = 0;
  // Returns what the reply leads to. An owner is over when nothing of it is left to ask.
  virtual std::vector<GraphQuestion> take(std::size_t owner, const GraphQuestion& question,
                                          const Reply& reply) = 0;
};

struct GraphOptions {
  std::vector<Respondent> respondents;
  std::string run_id;
  std::unordered_map<std::string, Reply> own_replies;  // as in AskingOptions, and so are the next two
  bool ask_again = false, retry_errors = false;
  int threads = 1;
  std::size_t max_open = 512;  // questions handed to models and not yet answered
  ProgressOptions progress;
  const CancelToken* cancel = nullptr;
};

struct GraphCounts {
  std::size_t asked = 0, reused = 0;
  bool stopped = false;  // some owners are not over
};

Result<GraphCounts> ask_graph(std::size_t owners, GraphSource& source, const GraphOptions& options,
                              store::Store& store, Budget& budget, const std::string& label);

}  // namespace awry::pipeline
