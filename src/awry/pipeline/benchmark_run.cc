// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/benchmark_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>

#include "awry/base/clock.h"
#include "awry/base/hash.h"
#include "awry/base/text.h"
#include "awry/pipeline/asking.h"
#include "awry/pipeline/parallel.h"
#include "awry/pipeline/perturbed_images.h"
#include "awry/pipeline/recording.h"
#include "awry/pipeline/reply_key.h"
#include "awry/pipeline/run_files.h"
#include "awry/pipeline/run_record.h"
#include "awry/store/store.h"

namespace awry::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr int kMostRounds = 50;  // a protocol that never stops asking is broken

Result<const benchmarks::Protocol*> protocol_for_running(const std::string& name) {
  const benchmarks::Protocol* protocol = benchmarks::find_protocol(name);
  if (protocol == nullptr) {
    return fail({.kind = ErrorKind::kUsage, .what = "unknown protocol", .input = name});
  }
  if (protocol->ask == nullptr || protocol->parse == nullptr || protocol->score == nullptr) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "this version cannot ask questions for the protocol",
                 .input = name,
                 .hint = "Score answers you already have with: awry score."});
  }
  return protocol;
}

Result<void> hash_images(std::vector<Sample>& samples, const BenchmarkOptions& options) {
  const std::size_t hashed = for_each_index(
      samples.size(), {.threads = options.threads, .cancel = options.cancel}, [&](std::size_t i) {
        for (ImageRef& image : samples[i].images) {
          // A file that cannot be read gets its error as identity: the inspector will report it.
          image.sha256 = sha256_hex_of_file(image.path).value_or(std::string());
        }
      });
  if (hashed < samples.size()) {
    return fail({.kind = ErrorKind::kCancelled, .what = "stopped before anything was asked"});
  }
  return {};
}

Respondent respondent_for(Model* model, const std::string& name, const EndpointSettings& settings,
                          const PriceList& prices) {
  Respondent respondent{.model = model, .pictures = settings.pictures};
  const std::string_view endpoint_name = endpoint_model_name(name);
  if (!endpoint_name.empty()) respondent.price = prices.of(endpoint_name);
  for (const std::string& arg : settings.model_args) {
    for (const std::string_view limit : {"max_tokens=", "max_completion_tokens="}) {
      if (!arg.starts_with(limit)) continue;
      respondent.output_tokens_guess =
          parse_integer(std::string_view(arg).substr(limit.size())).value_or(respondent.output_tokens_guess);
    }
  }
  return respondent;
}

// Everything a run needs before the first question leaves.
struct Prepared {
  const benchmarks::Protocol* protocol = nullptr;
  std::unique_ptr<Model> model, judge;
  Respondent answerer, judging;
  benchmarks::Dataset dataset;
  std::deque<Asked> asked;  // grows with every round; items never move
};

Result<void> check_budget(const BenchmarkOptions& options, const Prepared& prepared) {
  if (!options.budget.max_cost_usd) return {};
  const auto check = [](const std::string& name, const Respondent& respondent) -> Result<void> {
    if (endpoint_model_name(name).empty() || respondent.price) return {};
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot keep to --max-cost",
                 .input = name,
                 .why = "its price is not known",
                 .hint = "Name a file with its price: --price-file prices.json."});
  };
  AWRY_TRY(check(options.model, prepared.answerer));
  return check(options.judge, prepared.judging);
}

Result<Prepared> prepare(const BenchmarkOptions& options) {
  Prepared prepared;
  AWRY_TRY_ASSIGN(prepared.protocol, protocol_for_running(options.protocol));
  AWRY_TRY_ASSIGN(prepared.model, make_model(options.model, options.endpoint, *prepared.protocol));
  // A recording holds the judge's replies too.
  const bool replays = options.model.starts_with("replay:");
  const std::string judge_name = options.judge.empty() && replays ? options.model : options.judge;
  if (!judge_name.empty()) {
    AWRY_TRY_ASSIGN(prepared.judge,
                    make_model(judge_name, options.judge_endpoint, *prepared.protocol, Role::kJudges));
  }
  prepared.answerer = respondent_for(prepared.model.get(), options.model, options.endpoint, options.prices);
  prepared.judging = respondent_for(prepared.judge.get(), judge_name, options.judge_endpoint, options.prices);
  AWRY_TRY(check_budget(options, prepared));

  AWRY_TRY_ASSIGN(prepared.dataset, prepared.protocol->read_samples(options.data, options.protocol_options));
  std::vector<Sample>& samples = prepared.dataset.samples;
  if (options.range) {
    const auto [first, last] = options.range(samples.size());
    samples = std::vector<Sample>(samples.begin() + static_cast<std::ptrdiff_t>(first),
                                  samples.begin() + static_cast<std::ptrdiff_t>(last));
  }
  if (!options.perturb.empty()) {
    AWRY_TRY_ASSIGN(const std::vector<Perturbation> perturbations, parse_perturbations(options.perturb));
    AWRY_TRY_ASSIGN(PerturbedSamples perturbed, perturb_images(std::move(samples), perturbations,
                                                               {.folder = options.runs_folder / "perturbed",
                                                                .threads = options.threads,
                                                                .cancel = options.cancel}));
    samples = std::move(perturbed.samples);
  }
  AWRY_TRY(hash_images(samples, options));
  for (const Sample& sample : samples) {
    AWRY_TRY_ASSIGN(std::vector<Question> questions,
                    prepared.protocol->ask(sample, options.protocol_options));
    for (Question& question : questions) {
      std::string key = reply_key(*prepared.model, sample, question);
      prepared.asked.push_back({.sample = &sample, .question = std::move(question), .key = std::move(key)});
    }
  }
  return prepared;
}

std::string digest_of(const BenchmarkOptions& options, const Prepared& prepared) {
  FieldHasher hasher;
  hasher.add(options.name).add(options.protocol).add(prepared.model->identity()).add(options.seed);
  hasher.add(prepared.judge ? prepared.judge->identity() : std::string());
  hasher.add(static_cast<std::uint64_t>(options.reask)).add(options.ask_again ? "again" : "");
  for (const auto& [key, value] : options.protocol_options) hasher.add(key).add(value);
  for (const Asked& item : prepared.asked) hasher.add(item.question.id).add(item.key);
  return hasher.hex();
}

Answer read_answer(const benchmarks::Protocol& protocol, const Asked& item) {
  Answer answer{
      .question_id = item.question.id, .outcome = item.reply.outcome, .complaint = item.reply.error};
  if (item.reply.outcome == Outcome::kAnswered) {
    answer = protocol.parse(*item.sample, item.question, item.reply);
  }
  if (item.question.for_judge && answer.outcome != Outcome::kAnswered &&
      answer.outcome != Outcome::kJudgeFailed) {
    answer.complaint = fmt::format("{}: {}", name_of(answer.outcome), answer.complaint);
    answer.outcome = Outcome::kJudgeFailed;
  }
  return answer;
}

// Questions of one sample, in the order asked.
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

// What replies lead to: the next turns of conversations, and questions to the judge.
Result<std::vector<Asked*>> follow_up(Prepared& prepared, const BenchmarkOptions& options) {
  std::vector<Asked*> next;
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
      std::string key = model == nullptr ? "" : reply_key(*model, *sample, question);
      next.push_back(
          &prepared.asked.emplace_back(Asked{.sample = sample, .question = std::move(question), .key = key}));
    }
  }
  return next;
}

// Those of the round whose reply cannot be read, made ready to be asked once more.
std::vector<Asked*> unparsable_again(std::span<Asked* const> round, const Prepared& prepared, int reask) {
  std::vector<Asked*> again;
  for (Asked* item : round) {
    const Model* model = item->question.for_judge ? prepared.judge.get() : prepared.model.get();
    if (model == nullptr || item->reask >= reask || item->reply.outcome != Outcome::kAnswered) continue;
    const Answer answer = prepared.protocol->parse(*item->sample, item->question, item->reply);
    if (answer.outcome != Outcome::kUnparsable) continue;
    item->key = reply_key(*model, *item->sample, item->question, ++item->reask);
    item->has_reply = false;
    again.push_back(item);
  }
  return again;
}

// All rounds; stops early, with result.interrupted, when the user or the budget says so.
Result<void> ask_everything(Prepared& prepared, const BenchmarkOptions& options, AskingOptions asking,
                            store::Store& store, Budget& budget, BenchmarkResult& result) {
  std::vector<Asked*> round;
  for (Asked& item : prepared.asked) round.push_back(&item);
  for (int n = 1; !round.empty(); ++n) {
    if (n > kMostRounds) {
      return fail({.what = "the protocol does not stop asking", .input = options.protocol});
    }
    std::vector<Asked*> open = round;
    while (!open.empty()) {
      const std::string label = n == 1 ? "asking " + prepared.model->name() : fmt::format("round {}", n);
      AWRY_TRY_ASSIGN(const AskingCounts counts, ask_round(open, asking, store, budget, label));
      result.asked += counts.asked;
      result.reused += counts.reused;
      result.interrupted = counts.stopped;
      if (result.interrupted) return {};
      open = unparsable_again(open, prepared, options.reask);
    }
    AWRY_TRY_ASSIGN(round, follow_up(prepared, options));
  }
  return {};
}

// What the interrupted run paid for itself. Replies it took from earlier runs are older than it is.
Spending spent_before(const OpenedRun& opened) {
  Spending spent;
  for (const Reply& reply : opened.replies) {
    if (reply.created < opened.run.started) continue;
    ++spent.calls;
    spent.input_tokens += reply.usage.input_tokens;
    spent.output_tokens += reply.usage.output_tokens;
    spent.cost_usd += reply.usage.cost_usd.value_or(0);
  }
  return spent;
}

AskingOptions asking_options(const BenchmarkOptions& options, const Prepared& prepared,
                             const OpenedRun& opened) {
  AskingOptions asking{.answerer = prepared.answerer,
                       .judge = prepared.judging,
                       .protocol = prepared.protocol,
                       .run_id = opened.run.id,
                       .ask_again = options.ask_again,
                       .retry_errors = options.retry_errors,
                       .threads = options.threads,
                       .progress = options.progress,
                       .cancel = options.cancel};
  for (const Reply& reply : opened.replies) {
    if (reply.created >= opened.run.started) asking.own_replies.emplace(reply.question_id, reply);
  }
  return asking;
}

Recording recording_of(const Prepared& prepared, const Run& run) {
  Recording recording{.run = run,
                      .identity = prepared.model->identity(),
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

// Scores and files, once every question has its reply.
Result<void> conclude(const Prepared& prepared, const BenchmarkOptions& options, store::Store& store,
                      BenchmarkResult& result) {
  std::vector<report::Item> items = gather_items(prepared);
  std::vector<benchmarks::AnsweredSample> answered;
  answered.reserve(items.size());
  for (const report::Item& item : items) answered.push_back({item.sample, item.questions, item.answers});
  AWRY_TRY_ASSIGN(result.summary, prepared.protocol->score(answered, options.protocol_options));
  const std::vector<std::string>& notes = prepared.dataset.notes;
  result.summary.notes.insert(result.summary.notes.begin(), notes.begin(), notes.end());
  result.failures = describe_failures(items);

  result.run.finished = utc_timestamp();
  result.run.status = RunStatus::kFinished;
  AWRY_TRY(store.put_summary(result.run.id, result.summary));
  const Run* recorded = prepared.model->recorded_run();
  const Run& shown = recorded != nullptr ? *recorded : result.run;
  AWRY_TRY(write_run_files(result.folder, {shown, result.summary, std::move(items)}, result.run,
                           write_recording(recording_of(prepared, shown))));
  AWRY_TRY(store.update_run(result.run));
  point_latest_at(options.runs_folder, result.run.id);
  return {};
}

}  // namespace

Result<BenchmarkResult> run_benchmark(const BenchmarkOptions& options) {
  AWRY_TRY_ASSIGN(Prepared prepared, prepare(options));
  AWRY_TRY_ASSIGN(const std::unique_ptr<store::Store> store,
                  store::open_store(options.runs_folder / "awry.db"));
  AWRY_TRY_ASSIGN(const OpenedRun opened, open_run(*store, options, digest_of(options, prepared)));

  BenchmarkResult result{.run = opened.run};
  result.folder = options.runs_folder / result.run.id;
  result.report = result.folder / "report.html";
  AWRY_TRY(store->put_samples(result.run.id, prepared.dataset.samples));
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

Result<Estimate> estimate_benchmark(const BenchmarkOptions& options) {
  AWRY_TRY_ASSIGN(const Prepared prepared, prepare(options));
  Estimate estimate{.questions = prepared.asked.size()};
  std::unique_ptr<store::Store> store;
  if (fs::exists(options.runs_folder / "awry.db") && !options.ask_again) {
    AWRY_TRY_ASSIGN(store, store::open_store(options.runs_folder / "awry.db"));
  }
  for (const Asked& item : prepared.asked) {
    if (store) {
      AWRY_TRY_ASSIGN(const std::optional<Reply> known, store->find_reply(item.key));
      if (known && known->outcome == Outcome::kAnswered) {
        ++estimate.known;
        continue;
      }
    }
    const Usage usage = expected_usage(prepared.answerer, *item.sample, item.question);
    estimate.usage.input_tokens += usage.input_tokens;
    estimate.usage.output_tokens += usage.output_tokens;
    if (usage.cost_usd) estimate.usage.cost_usd = estimate.usage.cost_usd.value_or(0) + *usage.cost_usd;
  }
  return estimate;
}

}  // namespace awry::pipeline
