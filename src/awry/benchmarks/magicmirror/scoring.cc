// SPDX-License-Identifier: Apache-2.0
// Answers + truth -> Scores -> Summary.
#include "awry/benchmarks/magicmirror/scoring.h"

#include <fmt/format.h>

#include "awry/benchmarks/magicmirror/consistency.h"
#include "awry/benchmarks/magicmirror/mean_reward.h"

namespace awry::benchmarks::magicmirror {
namespace {

Result<const Answer*> find_answer(const AnsweredSample& answered, std::string_view kind) {
  if (answered.questions.size() != answered.answers.size()) {
    return fail({.what = "cannot score a sample",
                 .input = answered.sample.id,
                 .why = fmt::format("{} questions and {} answers", answered.questions.size(),
                                    answered.answers.size())});
  }
  for (std::size_t i = 0; i < answered.questions.size(); ++i) {
    if (answered.questions[i].kind == kind) return &answered.answers[i];
  }
  return nullptr;
}

// The verdict of an answer, and the outcome to count it under.
struct Read {
  std::optional<LabelSet> labels;
  Outcome outcome = Outcome::kAnswered;
};
Result<Read> read_answer(const Answer& answer, const Options& options) {
  if (answer.outcome != Outcome::kAnswered) return Read{.outcome = answer.outcome};
  Verdict verdict;
  AWRY_TRY_ASSIGN(verdict.labels, labels_of(answer.findings));
  if (const auto released = answer.values.find(kReleasedLabels); released != answer.values.end()) {
    verdict.as_released = LabelSet::from_bits(static_cast<std::uint32_t>(released->second));
  }
  const auto labels = labels_that_count(verdict, options);
  return Read{.labels = labels, .outcome = labels ? Outcome::kAnswered : Outcome::kUnparsable};
}

LabelSet scored_level2(LabelSet labels) {
  LabelSet scored;
  for (const Level2 level2 : kScoredLevel2) {
    if (labels.has(level2)) scored.add(level2);
  }
  return scored.level2();
}

void add_scores(const std::string& id, LabelSet truth, std::optional<LabelSet> predicted, Summary& summary) {
  const LabelSet found = predicted.value_or(LabelSet());
  const LabelSet true2 = scored_level2(truth), found2 = scored_level2(found);
  const score::MatchCounts level2{.predicted = static_cast<std::size_t>(found2.size()),
                                  .truth = static_cast<std::size_t>(true2.size()),
                                  .correct = static_cast<std::size_t>((true2 & found2).size())};
  const bool right = predicted && truth.is_normal() == found.is_normal();
  summary.scores.push_back(
      {.sample_id = id, .metric = "magicmirror/artifacts/accuracy", .value = right ? 1.0 : 0.0});
  summary.scores.push_back(
      {.sample_id = id, .metric = "magicmirror/l2/f1", .value = predicted ? score::f1(level2) : 0.0});
}

std::optional<bool> subject_of(const Sample& sample, const Answer* looked, const Options& options) {
  const std::string_view known = attribute(sample, kHasSubjectAttribute);
  if (!known.empty()) return known == "true";
  if (looked != nullptr && looked->outcome == Outcome::kAnswered) {
    if (const auto said = looked->values.find(kHasSubject); said != looked->values.end())
      return said->second != 0;
  }
  return options.subject == "assumed" ? std::optional(true) : std::nullopt;
}

}  // namespace

std::optional<LabelSet> labels_that_count(const Verdict& verdict, const Options& options) {
  return options.reading == "strict" ? verdict.as_released : std::optional(verdict.labels);
}

Result<Summary> finish_mirror(const LabelledImages& images, Summary summary, const Options& options) {
  if (images.size() == 0) {
    return fail({.what = "cannot score magicmirror",
                 .why = "no image has a label",
                 .hint = "The truth needs rows with a label, as 'response' or 'ground_truth'."});
  }
  if (images.unanswered() > 0) {
    summary.notes.push_back(fmt::format(
        "{} of {} images have no verdict; {}, and every number shows the range between all of them "
        "wrong and all right",
        images.unanswered(), images.size(),
        options.unanswered == "missed" ? "their labels count as missed" : "they are left out"));
  }
  AWRY_TRY(summarise(images, options, summary));
  AWRY_TRY(summarise_rewards(images, options, summary));
  return summary;
}

Result<Summary> finish_bench(const GeneratedImages& images, Summary summary, const Options& options) {
  if (images.total() < images.prompts()) {
    summary.notes.push_back(fmt::format("{} of {} prompts have no row among the answers",
                                        images.prompts() - images.total(), images.prompts()));
  }
  if (images.valid() < images.total()) {
    summary.notes.push_back(fmt::format("{} of {} images have no valid verdict and are left out",
                                        images.total() - images.valid(), images.total()));
  }
  AWRY_TRY(summarise(images, options, summary));
  return summary;
}

Result<Summary> score_mirror(std::span<const AnsweredSample> samples,
                             const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_mirror_options(protocol_options));
  AWRY_TRY(check_classification(options));
  Summary summary{.protocol = std::string(kMagicMirror.name)};
  LabelledImages images;
  Rewards rewards;
  std::size_t without_truth = 0;
  for (const AnsweredSample& sample : samples) {
    if (!sample.sample.has_truth) {
      ++without_truth;
      continue;
    }
    AWRY_TRY_ASSIGN(const LabelSet truth, labels_of(sample.sample.truth));
    AWRY_TRY_ASSIGN(const Answer* answer, find_answer(sample, kAssess));
    Read read;
    if (answer != nullptr) {
      AWRY_TRY_ASSIGN(read, read_answer(*answer, options));
      summary.outcomes.add(read.outcome);
    }
    images.add(truth, read.labels);
    add_scores(sample.sample.id, truth, read.labels, summary);
    AWRY_TRY_ASSIGN(const Answer* judged, find_answer(sample, kConsistency));
    if (judged != nullptr) {
      summary.outcomes.add(judged->outcome == Outcome::kAnswered ? Outcome::kAnswered
                                                                 : Outcome::kJudgeFailed);
    }
    rewards.add(truth, read.labels, answer != nullptr && !answer->text.empty(), judged);
  }
  if (without_truth > 0) {
    summary.notes.push_back(fmt::format("{} samples have no truth and were left out", without_truth));
  }
  AWRY_TRY_ASSIGN(Summary scored, finish_mirror(images, std::move(summary), options));
  if (options.consistency) AWRY_TRY(rewards.write(options, scored));
  return scored;
}

Result<Summary> score_bench(std::span<const AnsweredSample> samples,
                            const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_bench_options(protocol_options));
  AWRY_TRY(check_generator_scores(options));
  Summary summary{.protocol = std::string(kMagicBench.name)};
  GeneratedImages images;
  for (const AnsweredSample& sample : samples) {
    AWRY_TRY_ASSIGN(const Answer* answer, find_answer(sample, kAssess));
    AWRY_TRY_ASSIGN(const Answer* looked, find_answer(sample, kSubject));
    Read read;
    if (answer != nullptr) {
      AWRY_TRY_ASSIGN(read, read_answer(*answer, options));
      summary.outcomes.add(read.outcome);
    }
    const GeneratedImage image{.subject_class = attribute(sample.sample, kClassAttribute),
                               .detail_class = attribute(sample.sample, kDetailAttribute),
                               .has_subject = subject_of(sample.sample, looked, options),
                               .verdict = read.labels,
                               .generated = answer != nullptr};
    AWRY_TRY(images.add(image));
    if (!image.verdict || !image.has_subject) continue;
    const LabelSet labels = labels_with_subject(*image.verdict, *image.has_subject, image.subject_class);
    summary.scores.push_back({.sample_id = sample.sample.id,
                              .metric = "magicbench/overall",
                              .value = labels.is_normal() ? 100.0 : 0.0});
  }
  return finish_bench(images, std::move(summary), options);
}

}  // namespace awry::benchmarks::magicmirror
