// SPDX-License-Identifier: Apache-2.0
// Files -> Summary, row by row: for files too large to hold as samples.
#include <fmt/format.h>

#include "awry/benchmarks/magicmirror/row_ids.h"
#include "awry/benchmarks/magicmirror/samples.h"
#include "awry/benchmarks/magicmirror/scoring.h"

namespace awry::benchmarks::magicmirror {
namespace {

namespace fs = std::filesystem;

// Answers of a whole file, in counts.
struct ReadReplies {
  VerdictReader verdicts;
  OutcomeCounts outcomes;

  std::optional<LabelSet> read(const Row& row, const Options& options) {
    const std::string_view text = reply_text(row);
    if (text.empty()) {
      outcomes.add(Outcome::kTransport);
      return std::nullopt;
    }
    const Result<Verdict> verdict = verdicts.read(text);
    const auto labels = verdict ? labels_that_count(*verdict, options) : std::nullopt;
    outcomes.add(labels ? Outcome::kAnswered : Outcome::kUnparsable);
    return labels;
  }
};

Result<void> check_not_the_truth_itself(const fs::path& truth, const fs::path& answers, const RowReader& rows,
                                        const Row& row) {
  std::error_code error;
  if (row.has_output || !fs::equivalent(truth, answers, error)) return {};
  return rows.error("it has no 'output'",
                    "Truth and answers are the same file: its rows need the reply beside the label.");
}

Result<Summary> score_as_samples(const Protocol& protocol, const fs::path& truth, const fs::path& answers,
                                 const ProtocolOptions& options) {
  AWRY_TRY_ASSIGN(Dataset dataset, protocol.read_samples(truth, options));
  AWRY_TRY_ASSIGN(const std::vector<AnsweredSample> answered,
                  protocol.read_answers(answers, std::move(dataset.samples), options));
  return protocol.score(answered, options);
}

// A prompt of MagicBench, as far as scoring needs it.
struct Prompt {
  std::string subject_class, detail_class;
  std::optional<bool> has_subject;
};

}  // namespace

Result<Summary> score_magicmirror_files(const fs::path& truth, const fs::path& answers,
                                        const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_mirror_options(protocol_options));
  AWRY_TRY(check_classification(options));
  AWRY_TRY_ASSIGN(const fs::path truth_file, rows_file(truth));
  AWRY_TRY_ASSIGN(const fs::path answers_file, rows_file(answers));
  AWRY_TRY_ASSIGN(const bool own_form, is_own_form(answers_file, kMagicMirror));
  if (own_form) return score_as_samples(kMagicMirror, truth_file, answers_file, protocol_options);

  AWRY_TRY_ASSIGN(RowReader labelled, RowReader::open(truth_file));
  RowIds ids;
  ReadReplies replies;
  std::vector<std::optional<LabelSet>> truths, predictions;
  std::size_t without_truth = 0;
  for (;;) {
    AWRY_TRY_ASSIGN(const Row* row, labelled.next());
    if (row == nullptr) break;
    AWRY_TRY(ids.add(mirror_id(*row), labelled, row->line));
    std::optional<LabelSet>& labels = truths.emplace_back();
    if (truth_text(*row).empty()) {
      ++without_truth;
      continue;
    }
    AWRY_TRY_ASSIGN(labels, truth_of(labelled, *row, replies.verdicts));
  }
  if (truths.empty()) return no_rows(truth_file);
  predictions.resize(truths.size());

  bool any_answer = false;
  AWRY_TRY_ASSIGN(RowReader answered, RowReader::open(answers_file));
  for (;;) {
    AWRY_TRY_ASSIGN(const Row* row, answered.next());
    if (row == nullptr) break;
    any_answer = true;
    AWRY_TRY(check_not_the_truth_itself(truth_file, answers_file, answered, *row));
    AWRY_TRY_ASSIGN(const std::size_t index,
                    ids.answer(sample_named_by(mirror_id(*row)), answered, row->line));
    if (truths[index]) predictions[index] = replies.read(*row, options);
  }
  if (!any_answer) return no_rows(answers_file);

  LabelledImages images;
  for (std::size_t i = 0; i < truths.size(); ++i) {
    if (truths[i]) images.add(*truths[i], predictions[i]);
  }
  Summary summary{.protocol = std::string(kMagicMirror.name), .outcomes = replies.outcomes};
  if (without_truth > 0) {
    summary.notes.push_back(fmt::format("{} samples have no truth and were left out", without_truth));
  }
  return finish_mirror(images, std::move(summary), options);
}

Result<Summary> score_magicbench_files(const fs::path& truth, const fs::path& answers,
                                       const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_bench_options(protocol_options));
  AWRY_TRY(check_generator_scores(options));
  AWRY_TRY_ASSIGN(const fs::path truth_file, rows_file(truth));
  AWRY_TRY_ASSIGN(const fs::path answers_file, rows_file(answers));
  AWRY_TRY_ASSIGN(const bool own_form, is_own_form(answers_file, kMagicBench));
  if (own_form) return score_as_samples(kMagicBench, truth_file, answers_file, protocol_options);

  AWRY_TRY_ASSIGN(RowReader prompts, RowReader::open(truth_file));
  RowIds ids;
  std::vector<Prompt> asked;
  for (;;) {
    AWRY_TRY_ASSIGN(const Row* row, prompts.next());
    if (row == nullptr) break;
    AWRY_TRY(ids.add(bench_id(*row), prompts, row->line));
    AWRY_TRY(check_bench_prompt(prompts, *row));
    asked.push_back({std::string(row->subject_class), std::string(row->detail_class), row->has_subject});
  }
  if (asked.empty()) return no_rows(truth_file);

  AWRY_TRY_ASSIGN(RowReader rows, RowReader::open(answers_file));
  ReadReplies replies;
  bool any_answer = false;
  std::vector<std::optional<LabelSet>> verdicts(asked.size());
  for (;;) {
    AWRY_TRY_ASSIGN(const Row* row, rows.next());
    if (row == nullptr) break;
    any_answer = true;
    AWRY_TRY_ASSIGN(const std::size_t index, ids.answer(bench_id(*row), rows, row->line));
    Prompt& prompt = asked[index];
    AWRY_TRY(check_bench_row(rows, *row, prompt.subject_class, options, !prompt.has_subject));
    if (row->has_subject) prompt.has_subject = row->has_subject;
    if (!prompt.has_subject && options.subject == "assumed") prompt.has_subject = true;
    verdicts[index] = replies.read(*row, options);
  }
  if (!any_answer) return no_rows(answers_file);

  GeneratedImages images;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    AWRY_TRY(images.add({.subject_class = asked[i].subject_class,
                         .detail_class = asked[i].detail_class,
                         .has_subject = asked[i].has_subject,
                         .verdict = verdicts[i],
                         .generated = ids.is_answered(i)}));
  }
  Summary summary{.protocol = std::string(kMagicBench.name), .outcomes = replies.outcomes};
  return finish_bench(images, std::move(summary), options);
}

}  // namespace awry::benchmarks::magicmirror
