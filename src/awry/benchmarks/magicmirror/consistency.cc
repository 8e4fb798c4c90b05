// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/consistency.h"

#include <fmt/format.h>

#include <numeric>

#include "awry/benchmarks/magicmirror/reward.h"
#include "awry/benchmarks/prompts.h"
#include "awry/score/bootstrap.h"
#include "awry/score/signature.h"

namespace awry::benchmarks::magicmirror {
namespace {

Result<void> write_mean(std::string_view key, const std::vector<double>& values, double unjudged_best,
                        std::size_t unjudged, const Options& options, Summary& summary) {
  if (values.empty()) return {};
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  score::Signature signature(fmt::format("magicmirror/reward/{}", key));
  signature.set("variant", "paper")
      .set("reading", options.reading)
      .set("consistency", "judged")
      .set("unjudged", "left-out");
  Metric metric{.key = std::string(key),
                .group = "reward",
                .value = sum / static_cast<double>(values.size()),
                .count = values.size(),
                .signature = signature.text()};
  if (options.resamples > 0) {
    AWRY_TRY_ASSIGN(const score::BootstrapEstimate estimate,
                    score::bootstrap_mean(values, {.resamples = static_cast<std::size_t>(options.resamples),
                                                   .seed = static_cast<std::uint64_t>(options.seed)}));
    metric.interval = estimate.interval;
  }
  if (unjudged > 0) {
    const auto all = static_cast<double>(values.size() + unjudged);
    metric.missing = Interval{sum / all, (sum + unjudged_best) / all, 1.0};
  }
  summary.metrics.push_back(std::move(metric));
  return {};
}

std::optional<bool> verdict_of(const Answer* judged) {
  if (judged == nullptr || judged->outcome != Outcome::kAnswered) return std::nullopt;
  const auto said = judged->values.find(kIsConsistent);
  return said == judged->values.end() ? std::nullopt : std::optional(said->second != 0);
}

}  // namespace

Result<std::vector<Question>> follow_up_mirror(const AnsweredSample& answered, std::span<const Reply>,
                                               const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_mirror_options(protocol_options));
  std::vector<Question> questions;
  if (!options.consistency || answered.questions.size() != 1 || answered.answers.size() != 1)
    return questions;
  const Question& asked = answered.questions.front();
  const Answer& answer = answered.answers.front();
  if (asked.kind != kAssess || answer.outcome != Outcome::kAnswered || answer.text.empty()) return questions;
  AWRY_TRY_ASSIGN(const LabelSet labels, labels_of(answer.findings));
  AWRY_TRY_ASSIGN(const Prompts prompts, Prompts::open("magicmirror", options.prompts));
  // The paper's judge is a language model: it sees the words, not the image.
  Question question{.id = fmt::format("{}/consistency", answered.sample.id),
                    .sample_id = answered.sample.id,
                    .kind = std::string(kConsistency),
                    .for_judge = true};
  const Gaps gaps = {{"reasoning", answer.text}, {"verdict", verdict_json(labels)}};
  AWRY_TRY_ASSIGN(question.prompt, prompts.fill("consistency.judge.txt", gaps, {"reasoning", "verdict"}));
  questions.push_back(std::move(question));
  return questions;
}

void Rewards::add(LabelSet truth, std::optional<LabelSet> predicted, bool has_reasoning,
                  const Answer* judged) {
  if (!predicted) {
    rewards_.push_back(0);
    return;
  }
  const std::optional<bool> consistent = has_reasoning ? verdict_of(judged) : std::optional(false);
  if (!consistent) {
    best_rewards_.push_back(paper_reward(truth, predicted).total());
    return;
  }
  rewards_.push_back(paper_reward(truth, predicted, *consistent).total());
  consistent_.push_back(*consistent ? 1 : 0);
}

Result<void> Rewards::write(const Options& options, Summary& summary) const {
  const std::size_t unjudged = best_rewards_.size();
  if (unjudged > 0) {
    summary.notes.push_back(fmt::format(
        "{} verdicts were not judged for consistency; they are left out of the rewards", unjudged));
  }
  const double best = std::accumulate(best_rewards_.begin(), best_rewards_.end(), 0.0);
  AWRY_TRY(write_mean("paper", rewards_, best, unjudged, options, summary));
  return write_mean("consistent", consistent_, static_cast<double>(unjudged), unjudged, options, summary);
}

}  // namespace awry::benchmarks::magicmirror
