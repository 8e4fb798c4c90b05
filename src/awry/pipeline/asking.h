// SPDX-License-Identifier: Apache-2.0
// One round of questions that do not depend on one another: ask_graph() without anything to follow.
#pragma once

#include <span>
#include <string>

#include "awry/benchmarks/protocol.h"
#include "awry/pipeline/asking_graph.h"

namespace awry::pipeline {

struct Asked {
  const Sample* sample = nullptr;
  Question question;
  int reask = 0;
  std::string key;
  Reply reply;
  bool has_reply = false;  // false: never asked, because the run stopped
};

// Fills in replies. The first respondent answers; a second, if it has a model, judges: without it every
// question to the judge ends as judge_failed. The protocol tells what retry_errors asks again; it may be
// null. An error means that replies could not be stored.
Result<GraphCounts> ask_round(std::span<Asked* const> round, const benchmarks::Protocol* protocol,
                              const GraphOptions& options, store::Store& store, Budget& budget,
                              const std::string& label);

}  // namespace awry::pipeline
