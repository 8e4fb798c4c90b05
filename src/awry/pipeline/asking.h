// SPDX-License-Identifier: Apache-2.0
// One round of questions: known replies from the store, the others from the models, each durable before
// anybody parses it.
//
// Worker threads look up, read pictures and hand questions to the model; replies come back on the model's
// own thread and gather in an inbox; one keeper thread stores whatever has gathered with one disk sync.
// Killed at any moment, the next run asks again only what was on its way or in that inbox.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "awry/base/cancel.h"
#include "awry/base/progress.h"
#include "awry/pipeline/budget.h"
#include "awry/pipeline/models.h"
#include "awry/pipeline/prices.h"
#include "awry/store/store.h"

namespace awry::pipeline {

struct Asked {
  const Sample* sample = nullptr;
  Question question;
  int reask = 0;
  std::string key;
  Reply reply;
  bool has_reply = false;  // false: never asked, because the run stopped
};

// A model with what is known of its price and size of replies.
struct Respondent {
  Model* model = nullptr;
  std::optional<Price> price;
  inspectors::vlm::PictureLimits pictures;
  long long output_tokens_guess = 300;
};

struct AskingOptions {
  Respondent answerer, judge;  // judge.model may be null
  const benchmarks::Protocol* protocol = nullptr;
  std::string run_id;
  // Replies that this very run got before it was interrupted, by question: used even with ask_again.
  std::unordered_map<std::string, Reply> own_replies;
  bool ask_again = false;     // do not look for replies of earlier runs
  bool retry_errors = false;  // ask again where a reply came but is no answer
  int threads = 1;
  ProgressOptions progress;
  const CancelToken* cancel = nullptr;
};

struct AskingCounts {
  std::size_t asked = 0, reused = 0;
  bool stopped = false;  // by the user or by the budget: some questions have no reply
};

// Fills in replies. An error means that replies could not be stored.
Result<AskingCounts> ask_round(std::span<Asked* const> round, const AskingOptions& options,
                               store::Store& store, Budget& budget, const std::string& label);

// What a question will probably take.
Usage expected_usage(const Respondent& respondent, const Sample& sample, const Question& question);

}  // namespace awry::pipeline
