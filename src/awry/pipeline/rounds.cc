// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/rounds.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "awry/benchmarks/read_reply.h"
#include "awry/pipeline/reply_key.h"

namespace awry::pipeline {
namespace {

Answer read_answer(const benchmarks::Protocol& protocol, const Asked& item) {
  Answer answer{
      .question_id = item.question.id, .outcome = item.reply.outcome, .complaint = item.reply.error};
  if (item.reply.outcome == Outcome::kAnswered) {
    answer = benchmarks::read_reply(protocol, *item.sample, item.question, item.reply);
  }
  if (item.question.for_judge && answer.outcome != Outcome::kAnswered &&
      answer.outcome != Outcome::kJudgeFailed) {
    answer.complaint = fmt::format("{}: {}", name_of(answer.outcome), answer.complaint);
    answer.outcome = Outcome::kJudgeFailed;
  }
  return answer;
}

// Those of the round whose reply cannot be read, made ready to be asked once more.
std::vector<Asked*> unparsable_again(std::span<Asked* const> round, const Prepared& prepared, int reask) {
  std::vector<Asked*> again;
  for (Asked* item : round) {
    const Model* model = item->question.for_judge ? prepared.judge.get() : prepared.model.get();
    if (model == nullptr || item->reask >= reask || item->reply.outcome != Outcome::kAnswered) continue;
    const Answer answer =
        benchmarks::read_reply(*prepared.protocol, *item->sample, item->question, item->reply);
    if (answer.outcome != Outcome::kUnparsable) continue;
    item->key = reply_key(*model, *item->sample, item->question, ++item->reask);
    item->has_reply = false;
    again.push_back(item);
  }
  return again;
}

}  // namespace

std::vector<report::Item> gather_items(const Prepared& prepared) {
  std::vector<report::Item> items;
  std::unordered_map<const Sample*, std::size_t> place;
  for (const Asked& asked : prepared.asked) {
    const auto [found, is_new] = place.emplace(asked.sample, items.size());
    if (is_new) items.push_back({.sample = *asked.sample});
    report::Item& item = items[found->second];
    item.questions.push_back(asked.question);
    item.replies.push_back(asked.reply);
    item.answers.push_back(read_answer(*prepared.protocol, asked));
  }
  return items;
}

Result<std::vector<Asked*>> follow_up(Prepared& prepared, const BenchmarkOptions& options,
                                      std::size_t& unjudged) {
  std::vector<Asked*> next;
  unjudged = 0;
  if (prepared.protocol->follow_up == nullptr) return next;
  std::unordered_map<std::string, const Sample*> samples;
  for (const Sample& sample : prepared.dataset.samples) samples.emplace(sample.id, &sample);
  for (const report::Item& item : gather_items(prepared)) {
    AWRY_TRY_ASSIGN(std::vector<Question> questions,
                    prepared.protocol->follow_up({item.sample, item.questions, item.answers}, item.replies,
                                                 options.protocol_options));
    const Sample* sample = samples.at(item.sample.id);
    for (Question& question : questions) {
      const Model* model = question.for_judge ? prepared.judge.get() : prepared.model.get();
      if (model == nullptr && question.for_judge) {
        ++unjudged;
        continue;
      }
      if (model == nullptr) {
        return fail({.what = "the stored answers are not complete",
                     .input = question.id,
                     .why = "nobody asked the model this question",
                     .hint = "Ask it with the options of that run: awry run."});
      }
      std::string key = reply_key(*model, *sample, question);
      next.push_back(&prepared.asked.emplace_back(
          Asked{.sample = sample, .question = std::move(question), .key = std::move(key)}));
    }
  }
  return next;
}

Result<void> ask_everything(Prepared& prepared, const BenchmarkOptions& options, const GraphOptions& asking,
                            store::Store& store, Budget& budget, BenchmarkResult& result) {
  std::vector<Asked*> round;
  for (Asked& item : prepared.asked) {
    if (!item.has_reply) round.push_back(&item);
  }
  for (int n = 1; !round.empty() || n == 1; ++n) {
    if (n > kMostRounds) {
      return fail({.what = "the protocol does not stop asking", .input = options.protocol});
    }
    std::vector<Asked*> open = round;
    while (!open.empty()) {
      const std::string label =
          n > 1 || !prepared.model ? fmt::format("round {}", n) : "asking " + prepared.model->name();
      AWRY_TRY_ASSIGN(const GraphCounts counts,
                      ask_round(open, prepared.protocol, asking, store, budget, label));
      result.asked += counts.asked;
      result.reused += counts.reused;
      result.interrupted = counts.stopped;
      if (result.interrupted) return {};
      open = unparsable_again(open, prepared, options.reask);
    }
    AWRY_TRY_ASSIGN(round, follow_up(prepared, options, result.unjudged));
  }
  return {};
}

}  // namespace awry::pipeline
