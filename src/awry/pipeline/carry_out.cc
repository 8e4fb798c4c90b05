// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/carry_out.h"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "awry/base/clock.h"
#include "awry/pipeline/recording.h"
#include "awry/pipeline/rounds.h"
#include "awry/pipeline/run_files.h"
#include "awry/pipeline/run_record.h"
#include "awry/store/store.h"

namespace awry::pipeline {
namespace {

GraphOptions asking_options(const BenchmarkOptions& options, const Prepared& prepared,
                            const OpenedRun& opened) {
  GraphOptions asking{.respondents = {prepared.answerer, prepared.judging},
                      .run_id = opened.run.id,
                      .ask_again = options.ask_again,
                      .retry_errors = options.retry_errors,
                      .threads = options.threads,
                      .max_open = std::numeric_limits<std::size_t>::max(),  // the models hold back themselves
                      .progress = options.progress,
                      .cancel = options.cancel};
  for (const Reply& reply : opened.replies) {
    if (reply.created >= opened.run.started) asking.own_replies.emplace(reply.question_id, reply);
  }
  return asking;
}

Recording recording_of(const Prepared& prepared, const Run& run) {
  Recording recording{.run = run,
                      .identity = prepared.model ? prepared.model->identity() : prepared.identity,
                      .judge_identity = prepared.judge ? prepared.judge->identity() : ""};
  for (const Asked& item : prepared.asked) {
    recording.replies.push_back({.prompt_sha256 = prompt_hash(item.question), .reply = item.reply});
  }
  return recording;
}

std::vector<std::string> describe_failures(const std::vector<report::Item>& items) {
  std::vector<std::string> lines;
  for (const report::Item& item : items) {
    for (const Answer& answer : item.answers) {
      if (answer.outcome == Outcome::kAnswered) continue;
      lines.push_back(fmt::format("{}: {}: {}", item.sample.id, name_of(answer.outcome), answer.complaint));
    }
  }
  return lines;
}

void note_repliers(Run& run, const std::vector<report::Item>& items) {
  std::vector<const Reply*> answers, judged;
  for (const report::Item& item : items) {
    for (std::size_t i = 0; i < item.questions.size(); ++i) {
      (item.questions[i].for_judge ? judged : answers).push_back(&item.replies[i]);
    }
  }
  note_who_answered(run, answers, judged);
}

// Answers that were there before the run began. Those that this store did not get itself may have been
// edited, so they are never found by a run that asks for real.
Result<void> keep_stored_answers(const Prepared& prepared, const std::string& run_id, store::Store& store) {
  std::vector<Reply> replies;
  for (const Asked& item : prepared.asked) {
    if (!item.has_reply) continue;
    replies.push_back(item.reply);
    AWRY_TRY_ASSIGN(const std::optional<Reply> known, store.find_reply(item.reply.key));
    if (!known || known->text != item.reply.text) replies.back().key.insert(0, "replay ");
  }
  return store.put_replies(run_id, replies);
}

// Where answers were judged again, nobody read the data again.
std::vector<std::string> notes_on_data(const Prepared& prepared, const Run& shown) {
  const auto rejudged = shown.settings.find("rejudged");
  if (rejudged == shown.settings.end()) return prepared.dataset.notes;
  return {fmt::format("judged again from the answers of run {}, whose report has the notes on the data",
                      rejudged->second)};
}

// Scores and files, once every question has its reply.
Result<void> conclude(const Prepared& prepared, const BenchmarkOptions& options, store::Store& store,
                      BenchmarkResult& result) {
  std::vector<report::Item> items = gather_items(prepared);
  std::vector<benchmarks::AnsweredSample> answered;
  answered.reserve(items.size());
  for (const report::Item& item : items) answered.push_back({item.sample, item.questions, item.answers});
  AWRY_TRY_ASSIGN(result.summary, prepared.protocol->score(answered, options.protocol_options));
  const Run* recorded = prepared.model ? prepared.model->recorded_run() : nullptr;
  const std::vector<std::string> notes =
      notes_on_data(prepared, recorded != nullptr ? *recorded : result.run);
  result.summary.notes.insert(result.summary.notes.begin(), notes.begin(), notes.end());
  result.failures = describe_failures(items);

  note_repliers(result.run, items);
  result.run.finished = utc_timestamp();
  result.run.status = RunStatus::kFinished;
  AWRY_TRY(store.put_summary(result.run.id, result.summary));
  const Run& shown = recorded != nullptr ? *recorded : result.run;
  AWRY_TRY(write_run_files(result.folder, {shown, result.summary, std::move(items)}, result.run,
                           write_recording(recording_of(prepared, shown))));
  AWRY_TRY(store.update_run(result.run));
  point_latest_at(options.runs_folder, result.run.id);
  return {};
}

}  // namespace

Result<BenchmarkResult> carry_out(Prepared& prepared, Run wanted, const BenchmarkOptions& options) {
  AWRY_TRY_ASSIGN(const std::unique_ptr<store::Store> store,
                  store::open_store(options.runs_folder / "awry.db"));
  AWRY_TRY_ASSIGN(const OpenedRun opened, open_run(*store, std::move(wanted)));

  BenchmarkResult result{.run = opened.run};
  result.folder = options.runs_folder / result.run.id;
  result.report = result.folder / "report.html";
  AWRY_TRY(store->put_samples(result.run.id, prepared.dataset.samples));
  AWRY_TRY(keep_stored_answers(prepared, result.run.id, *store));
  Budget budget(options.budget, spent_before(opened));
  AWRY_TRY(
      ask_everything(prepared, options, asking_options(options, prepared, opened), *store, budget, result));
  result.questions = prepared.asked.size();
  result.spent = budget.spent();
  if (result.interrupted) {
    result.budget_used_up = budget.is_used_up();
    result.run.status = RunStatus::kInterrupted;
    AWRY_TRY(store->update_run(result.run));
    return result;
  }
  AWRY_TRY(conclude(prepared, options, *store, result));
  return result;
}

}  // namespace awry::pipeline
