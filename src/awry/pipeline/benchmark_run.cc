// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/benchmark_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "awry/base/clock.h"
#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/pipeline/models.h"
#include "awry/pipeline/parallel.h"
#include "awry/pipeline/run_files.h"
#include "awry/store/store.h"

namespace awry::pipeline {
namespace {

namespace fs = std::filesystem;

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

struct Asked {
  Sample* sample;
  Question question;
  std::string key;
  Reply reply;
};

// The key covers the image bytes, so an edited image never gets an old answer.
std::string key_of(const Model& model, const Sample& sample, const Question& question) {
  FieldHasher hasher;
  hasher.add("reply-v1").add(model.name()).add(model.identity()).add(question.kind).add(question.prompt);
  hasher.add(static_cast<std::uint64_t>(question.repeat));
  for (const int index : question.images) hasher.add(sample.images[static_cast<std::size_t>(index)].sha256);
  return hasher.hex();
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

Result<std::vector<Asked>> questions_for(std::vector<Sample>& samples, const benchmarks::Protocol& protocol,
                                         const Model& model, const BenchmarkOptions& options) {
  std::vector<Asked> asked;
  for (Sample& sample : samples) {
    AWRY_TRY_ASSIGN(std::vector<Question> questions, protocol.ask(sample, options.protocol_options));
    for (Question& question : questions) {
      std::string key = key_of(model, sample, question);
      asked.push_back({.sample = &sample, .question = std::move(question), .key = std::move(key)});
    }
  }
  return asked;
}

std::string digest_of(const BenchmarkOptions& options, const Model& model, const std::vector<Asked>& asked) {
  FieldHasher hasher;
  hasher.add(options.name).add(options.protocol).add(model.identity()).add(options.seed);
  for (const auto& [key, value] : options.protocol_options) hasher.add(key).add(value);
  for (const Asked& item : asked) hasher.add(item.question.id).add(item.key);
  return hasher.hex();
}

// The interrupted run with the same digest, taken up again, or a new one.
Result<Run> open_run(store::Store& store, const BenchmarkOptions& options, const std::string& digest) {
  AWRY_TRY_ASSIGN(std::vector<Run> earlier,
                  store.find_runs({.digest = digest, .status = RunStatus::kInterrupted, .limit = 1}));
  if (!earlier.empty()) {
    Run run = std::move(earlier.front());
    run.status = RunStatus::kRunning;
    AWRY_TRY(store.update_run(run));
    return run;
  }
  Run run{.id = utc_folder_stamp() + "-" + options.name,
          .name = options.name,
          .protocol = options.protocol,
          .model = options.model,
          .digest = digest,
          .command = options.command,
          .settings = options.protocol_options,
          .seed = options.seed,
          .awry_version = options.awry_version,
          .status = RunStatus::kRunning,
          .started = utc_timestamp()};
  // Two runs may start within one second.
  const std::string first_choice = run.id;
  for (int n = 2;; ++n) {
    AWRY_TRY_ASSIGN(const std::optional<Run> taken, store.find_run(run.id));
    if (!taken) break;
    run.id = fmt::format("{}-{}", first_choice, n);
  }
  AWRY_TRY(store.start_run(run));
  return run;
}

// Fills the reply of each question, from the store where it is known. Each reply is durable before the
// next question of the same thread is asked.
Result<void> ask_all(std::vector<Asked>& asked, const Model& model, store::Store& store,
                     const BenchmarkOptions& options, BenchmarkResult& result) {
  Progress progress("asking " + model.name(), asked.size(), options.progress);
  std::atomic<std::size_t> reused{0}, fresh{0}, failed{0};
  std::mutex failure_mutex;
  std::optional<Error> failure;
  CancelToken stop;

  const auto ask_one = [&](Asked& item) -> Result<void> {
    if (!options.ask_again) {
      AWRY_TRY_ASSIGN(std::optional<Reply> known, store.find_reply(item.key));
      if (known && known->outcome == Outcome::kAnswered) {
        item.reply = std::move(*known);
        item.reply.question_id = item.question.id;
        ++reused;
        return store.put_reply(result.run.id, item.reply);
      }
    }
    item.reply = model.answer(*item.sample, item.question);
    item.reply.key = item.key;
    item.reply.created = utc_timestamp();
    ++fresh;
    if (item.reply.outcome != Outcome::kAnswered) {
      progress.set_note(fmt::format("{} failed", ++failed));
    }
    return store.put_reply(result.run.id, item.reply);
  };

  const std::size_t done = for_each_index(
      asked.size(), {.threads = options.threads, .progress = &progress, .cancel = options.cancel},
      [&](std::size_t i) {
        if (stop.requested()) return;
        if (Result<void> kept = ask_one(asked[i]); !kept) {
          const std::lock_guard lock(failure_mutex);
          if (!failure) failure = kept.error();
          stop.request();
        }
      });
  progress.finish();
  result.asked = fresh;
  result.reused = reused;
  result.interrupted = done < asked.size();
  if (failure) return fail(*failure);
  return {};
}

Answer read_answer(const benchmarks::Protocol& protocol, const Asked& item) {
  if (item.reply.outcome != Outcome::kAnswered) {
    return {.question_id = item.question.id, .outcome = item.reply.outcome, .complaint = item.reply.error};
  }
  return protocol.parse(*item.sample, item.question, item.reply);
}

// Questions follow the order of their samples, so neighbours with the same sample belong together.
std::vector<report::Item> gather_items(const benchmarks::Protocol& protocol,
                                       const std::vector<Asked>& asked) {
  std::vector<report::Item> items;
  const Sample* current = nullptr;
  for (const Asked& item : asked) {
    if (item.sample != current) {
      current = item.sample;
      items.push_back({.sample = *current});
    }
    items.back().questions.push_back(item.question);
    items.back().replies.push_back(item.reply);
    items.back().answers.push_back(read_answer(protocol, item));
  }
  return items;
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

}  // namespace

Result<BenchmarkResult> run_benchmark(const BenchmarkOptions& options) {
  AWRY_TRY_ASSIGN(const benchmarks::Protocol* protocol, protocol_for_running(options.protocol));
  AWRY_TRY_ASSIGN(const std::unique_ptr<Model> model, make_model(options.model, *protocol));
  AWRY_TRY_ASSIGN(benchmarks::Dataset dataset,
                  protocol->read_samples(options.data, options.protocol_options));
  if (options.range) {
    const auto [first, last] = options.range(dataset.samples.size());
    std::vector<Sample> kept(dataset.samples.begin() + static_cast<std::ptrdiff_t>(first),
                             dataset.samples.begin() + static_cast<std::ptrdiff_t>(last));
    dataset.samples = std::move(kept);
  }

  AWRY_TRY(hash_images(dataset.samples, options));
  AWRY_TRY_ASSIGN(std::vector<Asked> asked, questions_for(dataset.samples, *protocol, *model, options));
  AWRY_TRY_ASSIGN(const std::unique_ptr<store::Store> store,
                  store::open_store(options.runs_folder / "awry.db"));

  BenchmarkResult result;
  AWRY_TRY_ASSIGN(result.run, open_run(*store, options, digest_of(options, *model, asked)));
  result.folder = options.runs_folder / result.run.id;
  result.report = result.folder / "report.html";
  result.questions = asked.size();
  AWRY_TRY(store->put_samples(result.run.id, dataset.samples));
  AWRY_TRY(ask_all(asked, *model, *store, options, result));
  if (result.interrupted) {
    result.run.status = RunStatus::kInterrupted;
    AWRY_TRY(store->update_run(result.run));
    return result;
  }

  std::vector<report::Item> items = gather_items(*protocol, asked);
  std::vector<benchmarks::AnsweredSample> answered;
  answered.reserve(items.size());
  for (const report::Item& item : items) answered.push_back({item.sample, item.questions, item.answers});
  AWRY_TRY_ASSIGN(result.summary, protocol->score(answered, options.protocol_options));
  result.summary.notes.insert(result.summary.notes.begin(), dataset.notes.begin(), dataset.notes.end());
  result.failures = describe_failures(items);

  result.run.finished = utc_timestamp();
  result.run.status = RunStatus::kFinished;
  AWRY_TRY(store->put_summary(result.run.id, result.summary));
  AWRY_TRY(write_run_files(result.folder, {result.run, result.summary, std::move(items)}));
  AWRY_TRY(store->update_run(result.run));
  point_latest_at(options.runs_folder, result.run.id);
  return result;
}

}  // namespace awry::pipeline
