// SPDX-License-Identifier: Apache-2.0
// Answers + truth -> Scores -> Summary.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "awry/base/text.h"
#include "awry/benchmarks/cave/board.h"
#include "awry/benchmarks/cave/judging.h"

namespace awry::benchmarks::cave {
namespace {

// The values of one attribute over all questions that a judge is asked about.
std::string attribute_values(std::span<const AnsweredSample> samples, const char* name,
                             std::string otherwise) {
  std::set<std::string> values;
  for (const AnsweredSample& sample : samples) {
    for (const Question& question : sample.questions) {
      if (question.kind != kDescribe && question.kind != kExplain) continue;
      if (const auto value = attribute(question, name); !value.empty()) values.emplace(value);
    }
  }
  if (values.empty()) return otherwise;
  return fmt::format("{}", fmt::join(values, "+"));
}

void note_what_is_missing(std::span<const ImageItem> items, bool drafts, Summary& summary) {
  const std::size_t unjudged = summary.outcomes.of(Outcome::kJudgeFailed);
  const std::size_t failed = summary.outcomes.failed() - unjudged;
  if (failed > 0) {
    summary.notes.push_back(fmt::format(
        "{} of {} questions got no usable answer; they count as wrong, and every number they touch shows the "
        "range between all of them wrong and all right",
        failed, summary.outcomes.total()));
  }
  if (unjudged > 0) {
    summary.notes.push_back(
        fmt::format("{} of {} answers lack a usable verdict (judge_failed); they are left out of the value "
                    "and inside the "
                    "range beside it",
                    unjudged, summary.outcomes.total()));
  }
  std::size_t duplicates = 0, unasked = 0, asked = 0;
  for (const ImageItem& item : items) {
    duplicates += item.detection.duplicates;
    ++(item.described == Standing::kNotAsked ? unasked : asked);
  }
  if (asked > 0 && unasked > 0) {
    summary.notes.push_back(
        fmt::format("{} images were not asked for anomalies; they count as missed", unasked));
  }
  if (asked == 0 && drafts) {
    summary.notes.push_back("there are drafts of descriptions, but nobody merged them: 'ad' is not scored");
  }
  if (duplicates > 0) {
    summary.notes.push_back(fmt::format(
        "{} descriptions repeat an anomaly that another one found: neither right nor wrong", duplicates));
  }
}

}  // namespace

Result<void> summarise(std::span<const ImageItem> items, const Provenance& from, const Options& options,
                       Summary& summary) {
  Board board(items, options, summary);
  const auto judged = [&](std::string_view name) {
    return board.signature(name, "").set("judge", from.judge).set("prompt", from.prompt);
  };
  AWRY_TRY(score_descriptions(board, judged("ad")));
  AWRY_TRY(score_explanations(board, judged("ae")));
  AWRY_TRY(score_places(board));
  AWRY_TRY(score_justifications(board));
  AWRY_TRY(score_ratings(board));
  AWRY_TRY(score_categories(board));
  AWRY_TRY(score_culture(board));
  return score_raters(board);
}

Result<Summary> score(std::span<const AnsweredSample> given, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  AWRY_TRY(check_metrics_first(options));

  std::vector<AnsweredSample> judged;
  const bool has_judge = std::any_of(given.begin(), given.end(), [](const AnsweredSample& sample) {
    return std::any_of(sample.questions.begin(), sample.questions.end(), is_judges);
  });
  if (has_judge || !options.verdicts.empty()) judged.assign(given.begin(), given.end());
  if (has_judge) AWRY_TRY(settle_judged(judged));
  if (!options.verdicts.empty()) {
    AWRY_TRY_ASSIGN(const std::vector<Judgement> judgements, read_verdict_file(options.verdicts));
    AWRY_TRY(write_judgements(judgements, judged));
  }
  const std::span<const AnsweredSample> samples =
      judged.empty() ? given : std::span<const AnsweredSample>(judged);

  Summary summary{.protocol = "cave"};
  std::vector<ImageItem> items;
  std::size_t without_truth = 0;
  bool drafts = false;
  for (const AnsweredSample& sample : samples) {
    for (const Question& question : sample.questions) drafts = drafts || question.kind == kDraft;
    AWRY_TRY_ASSIGN(std::optional<ImageItem> item, compare(sample, summary.outcomes));
    if (item) {
      items.push_back(std::move(*item));
    } else {
      ++without_truth;
    }
  }
  if (without_truth > 0) {
    summary.notes.push_back(fmt::format("{} samples have no truth and were left out", without_truth));
  }
  note_what_is_missing(items, drafts, summary);
  const Provenance from = {.judge = attribute_values(samples, kJudgeAttribute, "unnamed"),
                           .prompt = attribute_values(samples, kPromptAttribute, "unknown")};
  AWRY_TRY(summarise(items, from, options, summary));
  return summary;
}

}  // namespace awry::benchmarks::cave
