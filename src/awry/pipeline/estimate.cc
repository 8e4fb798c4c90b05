// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/estimate.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "awry/pipeline/prepared_run.h"
#include "awry/pipeline/rounds.h"
#include "awry/store/store.h"

namespace awry::pipeline {
namespace {

Reply imagined_reply(const benchmarks::Protocol& protocol, const Asked& item) {
  Reply reply{.key = item.key, .question_id = item.question.id, .outcome = Outcome::kTransport};
  if (protocol.imagine == nullptr) return reply;
  reply.text = protocol.imagine(*item.sample, item.question);
  if (!reply.text.empty()) reply.outcome = Outcome::kAnswered;
  return reply;
}

void add(const Usage& usage, Usage& to) {
  to.input_tokens += usage.input_tokens;
  to.output_tokens += usage.output_tokens;
  if (usage.cost_usd) to.cost_usd = to.cost_usd.value_or(0) + *usage.cost_usd;
}

// Gives the question a reply, known or imagined, and counts it.
Result<void> count(const Prepared& prepared, store::Store* store, Asked& item, Estimate& estimate) {
  EstimatedPart& part = item.question.for_judge ? estimate.judge : estimate.model;
  ++part.questions;
  if (item.has_reply) {
    ++part.known;
    return {};
  }
  if (store != nullptr) {
    AWRY_TRY_ASSIGN(std::optional<Reply> known, store->find_reply(item.key));
    if (known && known->outcome == Outcome::kAnswered) {
      ++part.known;
      item.reply = std::move(*known);
      return {};
    }
  }
  const Respondent& asked = item.question.for_judge ? prepared.judging : prepared.answerer;
  add(expected_usage(asked, *item.sample, item.question), part.usage);
  item.reply = imagined_reply(*prepared.protocol, item);
  return {};
}

}  // namespace

Result<Estimate> estimate_prepared(Prepared& prepared, const BenchmarkOptions& options) {
  std::unique_ptr<store::Store> store;
  if (std::filesystem::exists(options.runs_folder / "awry.db") && !options.ask_again) {
    AWRY_TRY_ASSIGN(store, store::open_store(options.runs_folder / "awry.db"));
  }
  Estimate estimate;
  std::vector<Asked*> round;
  for (Asked& item : prepared.asked) round.push_back(&item);
  for (int n = 0; n < kMostRounds && (n == 0 || !round.empty()); ++n) {
    for (Asked* item : round) AWRY_TRY(count(prepared, store.get(), *item, estimate));
    AWRY_TRY_ASSIGN(round, follow_up(prepared, options, estimate.unjudged));
  }
  return estimate;
}

Result<Estimate> estimate_benchmark(const BenchmarkOptions& options) {
  AWRY_TRY_ASSIGN(Prepared prepared, prepare_run(options));
  return estimate_prepared(prepared, options);
}

}  // namespace awry::pipeline
