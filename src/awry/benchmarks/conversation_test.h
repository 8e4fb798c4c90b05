// SPDX-License-Identifier: Apache-2.0
// A whole conversation about one sample, with a script in the part of the model and of the judge.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "awry/benchmarks/find_metric.h"
#include "awry/benchmarks/protocol.h"

namespace awry::benchmarks {

// What is replied to a question; with an outcome other than kAnswered, the failure.
using Script = std::function<Reply(const Question&)>;

// As a run does it: ask, parse, follow up, until nothing is left to ask.
inline AnsweredSample converse(const Protocol& protocol, Sample sample, const ProtocolOptions& options,
                               const Script& script) {
  std::vector<Question> asked = value_or_throw(protocol.ask(sample, options));
  AnsweredSample answered{.sample = std::move(sample)};
  std::vector<Reply> replies;
  while (!asked.empty()) {
    for (Question& question : asked) {
      Reply reply = script(question);
      reply.question_id = question.id;
      answered.answers.push_back(protocol.parse(answered.sample, question, reply));
      answered.questions.push_back(std::move(question));
      replies.push_back(std::move(reply));
    }
    asked.clear();
    if (protocol.follow_up != nullptr) {
      asked = value_or_throw(protocol.follow_up(answered, replies, options));
    }
  }
  return answered;
}

}  // namespace awry::benchmarks
