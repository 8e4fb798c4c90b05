// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/asking.h"

#include <utility>

#include "awry/benchmarks/read_reply.h"

namespace awry::pipeline {
namespace {

constexpr std::size_t kAnswerer = 0, kJudge = 1;

// Every question is an owner of its own.
class Round final : public GraphSource {
 public:
  Round(std::span<Asked* const> items, const benchmarks::Protocol* protocol,
        const std::vector<Respondent>& respondents)
      : items_(items), protocol_(protocol) {
    has_judge_ = respondents.size() > kJudge && respondents[kJudge].model != nullptr;
  }

  std::vector<GraphQuestion> begin(std::size_t owner) override {
    Asked& item = *items_[owner];
    if (item.question.for_judge && !has_judge_) {
      set_reply(item, {.key = item.key,
                       .question_id = item.question.id,
                       .outcome = Outcome::kJudgeFailed,
                       .error = "no judge was named; use --judge M"});
      return {};
    }
    return {{.sample = item.sample,
             .question = item.question,
             .reask = item.reask,
             .respondent = item.question.for_judge ? kJudge : kAnswerer,
             .key = item.key}};
  }

  std::vector<GraphQuestion> take(std::size_t owner, const GraphQuestion&, const Reply& reply) override {
    set_reply(*items_[owner], reply);
    return {};
  }

  bool is_answer(const GraphQuestion& asked, const Reply& reply) const override {
    if (protocol_ == nullptr) return true;
    const Outcome outcome = benchmarks::read_reply(*protocol_, *asked.sample, asked.question, reply).outcome;
    return outcome != Outcome::kUnparsable && outcome != Outcome::kRefused;
  }

 private:
  static void set_reply(Asked& item, Reply reply) {
    item.reply = std::move(reply);
    item.has_reply = true;
  }

  const std::span<Asked* const> items_;
  const benchmarks::Protocol* const protocol_;
  bool has_judge_ = false;
};

}  // namespace

Result<GraphCounts> ask_round(std::span<Asked* const> round, const benchmarks::Protocol* protocol,
                              const GraphOptions& options, store::Store& store, Budget& budget,
                              const std::string& label) {
  Round source(round, protocol, options.respondents);
  return ask_graph(round.size(), source, options, store, budget, label);
}

}  // namespace awry::pipeline
