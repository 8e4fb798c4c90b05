// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/read_reply.h"

#include "awry/base/text.h"
#include "awry/parse/refusal.h"

namespace awry::benchmarks {
namespace {

constexpr int kQuotedColumns = 120;

}  // namespace

Answer read_reply(const Protocol& protocol, const Sample& sample, const Question& question,
                  const Reply& reply) {
  Answer answer = protocol.parse(sample, question, reply);
  if (answer.outcome == Outcome::kUnparsable && parse::declines(reply.text)) {
    answer.outcome = Outcome::kRefused;
    answer.complaint = "the model declines: " + shorten(trim(reply.text), kQuotedColumns);
  }
  return answer;
}

}  // namespace awry::benchmarks
