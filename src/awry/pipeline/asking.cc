// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/asking.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "awry/base/text.h"
#include "awry/inspectors/vlm/inbox.h"
#include "awry/pipeline/one_reply.h"
#include "awry/pipeline/parallel.h"

namespace awry::pipeline {
namespace {

using namespace std::chrono_literals;

constexpr auto kTick = 100ms;

struct Arrival {
  Asked* item = nullptr;
  Reply reply;
  Usage expected;
  bool is_fresh = false;  // asked now, so that the budget waits for it
};

class Round {
 public:
  Round(const AskingOptions& options, store::Store& store, Budget& budget, Progress& progress)
      : options_(options), store_(store), budget_(budget), progress_(progress) {}

  Result<AskingCounts> run(std::span<Asked* const> items) {
    keeper_ = std::thread([this] { keep(); });
    ticker_ = std::thread([this] { tick(); });
    for_each_index(items.size(), {.threads = options_.threads}, [&](std::size_t i) {
      if (!is_stopping()) ask(*items[i]);
    });
    for (Model* model : {options_.answerer.model, options_.judge.model}) {
      if (model == nullptr) continue;
      if (is_stopping()) model->stop();
      model->finish();
    }
    inbox_.close();
    keeper_.join();
    {
      const std::lock_guard lock(tick_mutex_);
      over_ = true;
    }
    tick_wake_.notify_all();
    ticker_.join();
    if (failure_) return fail(*failure_);
    counts_.stopped = std::ranges::any_of(items, [](const Asked* item) { return !item->has_reply; });
    return counts_;
  }

 private:
  // --- worker threads ---

  void ask(Asked& item) {
    const Respondent& respondent = item.question.for_judge ? options_.judge : options_.answerer;
    if (respondent.model == nullptr) {
      item.reply = {.key = item.key,
                    .question_id = item.question.id,
                    .outcome = Outcome::kJudgeFailed,
                    .error = "no judge was named; use --judge M"};
      item.has_reply = true;
      return progress_.add();
    }
    if (std::optional<Reply> known = find_known(item, *respondent.model)) {
      known->question_id = item.question.id;
      return inbox_.put({.item = &item, .reply = std::move(*known)});
    }
    const Usage expected = expected_now(respondent, item);
    if (!budget_.admit(expected)) return stop();
    respondent.model->begin(*item.sample, item.question, item.key, [this, &item, expected](Reply reply) {
      inbox_.put({&item, std::move(reply), expected, true});
    });
  }

  // Guessing reads the headers of pictures: only where a limit makes it matter.
  Usage expected_now(const Respondent& respondent, const Asked& item) const {
    if (!budget_.has_limits()) return {};
    return expected_usage(respondent, *item.sample, item.question);
  }

  std::optional<Reply> find_known(const Asked& item, const Model& model) {
    Result<std::optional<Reply>> known = find_known_reply(
        {.own = options_.own_replies, .ask_again = options_.ask_again, .store = store_}, model,
        item.question.id, item.key, [&](const Reply& reply) { return is_usable(item, reply); });
    if (known) return std::move(*known);
    note_failure(known.error());
    return std::nullopt;
  }

  bool is_usable(const Asked& item, const Reply& reply) const {
    if (!is_usable_reply(reply, options_.retry_errors)) return false;
    return !options_.retry_errors ||
           options_.protocol->parse(*item.sample, item.question, reply).outcome != Outcome::kUnparsable;
  }

  // --- keeper's thread ---

  void keep() {
    for (auto batch = inbox_.take_all(); !batch.empty(); batch = inbox_.take_all()) keep(batch);
  }

  void keep(std::vector<Arrival>& batch) {
    std::vector<Reply> replies;
    for (Arrival& arrival : batch) {
      if (was_not_asked(arrival.reply)) {
        budget_.take_back(arrival.expected);
        arrival.item = nullptr;
        continue;
      }
      if (arrival.is_fresh) complete_reply(respondent_of(arrival), arrival.item->key, arrival.reply);
      replies.push_back(stored_form(respondent_of(arrival), arrival.reply));
    }
    if (Result<void> stored = store_.put_replies(options_.run_id, replies); !stored) {
      return note_failure(stored.error());
    }
    for (Arrival& arrival : batch) {
      if (arrival.item == nullptr) continue;
      if (arrival.is_fresh) budget_.settle(arrival.expected, arrival.reply.usage);
      ++(arrival.is_fresh ? counts_.asked : counts_.reused);
      ++outcomes_[static_cast<std::size_t>(arrival.reply.outcome)];
      arrival.item->reply = std::move(arrival.reply);
      arrival.item->has_reply = true;
      progress_.add();
    }
  }

  const Respondent& respondent_of(const Arrival& arrival) const {
    return arrival.item->question.for_judge ? options_.judge : options_.answerer;
  }

  // --- ticker's thread ---

  void tick() {
    std::unique_lock lock(tick_mutex_);
    bool told = false;
    while (!over_) {
      tick_wake_.wait_for(lock, kTick);
      if (!told && is_stopping()) {
        told = true;
        budget_.stop();
        for (Model* model : {options_.answerer.model, options_.judge.model}) {
          if (model != nullptr) model->stop();
        }
      }
      progress_.set_note(note());
    }
  }

  std::string note() const {
    std::size_t in_flight = 0;
    for (const Model* model : {options_.answerer.model, options_.judge.model}) {
      if (model != nullptr) in_flight += model->load().in_flight;
    }
    std::vector<std::string> parts = progress_parts(in_flight, budget_.spent());
    for (const Outcome outcome : kAllOutcomes) {
      const std::size_t count = outcomes_[static_cast<std::size_t>(outcome)];
      if (outcome != Outcome::kAnswered && count > 0) {
        parts.push_back(fmt::format("{} {}", count, name_of(outcome)));
      }
    }
    return join(parts, ", ");
  }

  // --- any thread ---

  bool is_stopping() const {
    return stopping_.load() || (options_.cancel != nullptr && options_.cancel->requested());
  }
  void stop() { stopping_.store(true); }
  void note_failure(const Error& error) {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) failure_ = error;
    stop();
  }

  const AskingOptions& options_;
  store::Store& store_;
  Budget& budget_;
  Progress& progress_;
  inspectors::vlm::Inbox<Arrival> inbox_;
  AskingCounts counts_;  // the keeper's
  std::array<std::atomic<std::size_t>, kAllOutcomes.size()> outcomes_{};
  std::atomic<bool> stopping_{false};
  std::mutex failure_mutex_, tick_mutex_;
  std::condition_variable tick_wake_;
  bool over_ = false;
  std::optional<Error> failure_;
  std::thread keeper_, ticker_;
};

}  // namespace

Usage expected_usage(const Respondent& respondent, const Sample& sample, const Question& question) {
  Usage usage{.input_tokens = guess_input_tokens(sample, question, respondent.pictures),
              .output_tokens = respondent.output_tokens_guess};
  if (respondent.price) usage.cost_usd = cost_of(usage, *respondent.price);
  return usage;
}

Result<AskingCounts> ask_round(std::span<Asked* const> round, const AskingOptions& options,
                               store::Store& store, Budget& budget, const std::string& label) {
  Progress progress(label, round.size(), options.progress);
  return Round(options, store, budget, progress).run(round);
}

}  // namespace awry::pipeline
