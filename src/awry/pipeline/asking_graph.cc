// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/asking_graph.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "awry/base/text.h"
#include "awry/inspectors/vlm/inbox.h"
#include "awry/pipeline/one_reply.h"
#include "awry/pipeline/reply_key.h"

namespace awry::pipeline {
namespace {

using namespace std::chrono_literals;

constexpr auto kTick = 100ms;
constexpr const char* kResponseFormat = "response_format";

struct Item {
  std::size_t owner = 0;
  GraphQuestion asked;
  std::atomic_flag is_back;  // the model may both reply and throw; the first counts
};

// Shared with the callback that a model holds, which must be copyable.
using ItemPtr = std::shared_ptr<Item>;

struct Arrival {
  ItemPtr item;
  Reply reply;
  Usage expected;
  bool is_fresh = false;
};

// An endpoint that does not know a form of reply says so with a client error that names it.
bool refuses_form(const Item& item, const Reply& reply) {
  return reply.outcome == Outcome::kTransport && item.asked.question.attributes.contains(kResponseFormat) &&
         contains_ignoring_case(reply.error, kResponseFormat);
}

class Graph {
 public:
  Graph(std::size_t owners, GraphSource& source, const GraphOptions& options, store::Store& store,
        Budget& budget, Progress& progress)
      : source_(source), options_(options), store_(store), budget_(budget), progress_(progress) {
    owners_ = owners;
    knows_form_.assign(options.respondents.size(), true);
    for (const Respondent& respondent : options.respondents) {
      if (respondent.model != nullptr) models_.push_back(respondent.model);
    }
  }

  Result<GraphCounts> run() {
    std::thread keeper([this] { keep(); });
    std::thread ticker([this] { tick(); });
    std::vector<std::thread> workers;
    guarded("cannot start a thread", [&] {
      for (int i = 0; i < std::max(1, options_.threads); ++i) workers.emplace_back([this] { work(); });
    });
    for (std::thread& worker : workers) worker.join();
    for (Model* model : models_) {
      if (is_stopping()) model->stop();
      model->finish();
    }
    inbox_.close();
    keeper.join();
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    tick_wake_.notify_all();
    ticker.join();
    if (failure_) return fail(*failure_);
    counts_.stopped = finished_ < owners_;
    return counts_;
  }

 private:
  // --- worker threads ---

  void work() {
    guarded("cannot go on asking", [this] {
      while (const ItemPtr item = next()) ask(item);
    });
  }

  // The next question of the earliest owner; waits for one. Null when there will be none.
  ItemPtr next() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (is_stopping()) return nullptr;
      if (open_ < options_.max_open && asked_.load() < options_.max_asked) {
        if (ready_.empty() && next_owner_ < owners_) begin_owner();
        if (!ready_.empty()) {
          ++open_;
          return std::move(ready_.extract(ready_.begin()).mapped());
        }
      }
      if (ready_.empty() && next_owner_ == owners_ && open_ == 0) return nullptr;
      changed_.wait_for(lock, kTick);
    }
  }

  void begin_owner() {
    const std::size_t owner = next_owner_++;
    add(owner, source_.begin(owner));
  }

  // Mutex held.
  void add(std::size_t owner, std::vector<GraphQuestion> questions) {
    std::size_t& left = left_of_[owner];
    left += questions.size();
    for (GraphQuestion& question : questions) {
      ready_.emplace(std::pair(owner, ++last_number_), std::make_shared<Item>(owner, std::move(question)));
    }
    if (left == 0) {
      left_of_.erase(owner);
      ++finished_;
      progress_.add();
    }
  }

  void ask(const ItemPtr& item) {
    GraphQuestion& asked = item->asked;
    const Respondent& respondent = options_.respondents[asked.respondent];
    if (asked.key.empty()) {
      asked.key = reply_key(*respondent.model, *asked.sample, asked.question, asked.reask);
    }
    if (std::optional<Reply> known = find_known(asked, *respondent.model)) {
      known->question_id = asked.question.id;
      return inbox_.put({.item = item, .reply = std::move(*known)});
    }
    Usage expected;
    // Guessing reads the headers of pictures: only where a limit makes it matter.
    if (budget_.has_limits()) expected = expected_usage(respondent, *asked.sample, asked.question);
    if (!budget_.admit(expected)) {
      stopping_.store(true);
      return changed_.notify_all();
    }
    if (!knows_form(asked.respondent)) asked.question.attributes.erase(kResponseFormat);
    asked_.fetch_add(1);
    try {
      respondent.model->begin(*asked.sample, asked.question, asked.key, [this, item, expected](Reply reply) {
        came_back(item, std::move(reply), expected);
      });
    } catch (const std::exception& thrown) {
      // One picture that a library chokes on is one question without an answer, not the end of the run.
      came_back(item, {.outcome = Outcome::kUnreadable, .error = thrown.what()}, expected);
    }
  }

  void came_back(const ItemPtr& item, Reply reply, const Usage& expected) {
    if (item->is_back.test_and_set()) return;
    inbox_.put({item, std::move(reply), expected, true});
    // Without the mutex, which the keeper may hold: a wake-up that slips through is made up for by the
    // next one or the tick.
    asked_.fetch_sub(1);
    changed_.notify_one();
  }

  std::optional<Reply> find_known(const GraphQuestion& asked, const Model& model) {
    Result<std::optional<Reply>> known =
        find_known_reply({.own = options_.own_replies, .ask_again = options_.ask_again, .store = store_},
                         model, asked.question.id, asked.key, [&](const Reply& reply) {
                           return is_usable_reply(reply, options_.retry_errors) &&
                                  (!options_.retry_errors || source_.is_answer(asked, reply));
                         });
    if (known) return std::move(*known);
    note_failure(known.error());
    return std::nullopt;
  }

  // --- keeper's thread ---

  void keep() {
    for (auto batch = inbox_.take_all(); !batch.empty(); batch = inbox_.take_all()) {
      guarded("cannot take in replies", [&] { keep(batch); });
    }
  }

  void keep(std::vector<Arrival>& batch) {
    std::vector<Reply> replies;
    for (Arrival& arrival : batch) {
      if (was_not_asked(arrival.reply)) {
        give_up(arrival);
      } else if (arrival.is_fresh && refuses_form(*arrival.item, arrival.reply)) {
        ask_without_form(arrival);
      } else {
        const Respondent& respondent = options_.respondents[arrival.item->asked.respondent];
        if (arrival.is_fresh) complete_reply(respondent, arrival.item->asked.key, arrival.reply);
        arrival.reply.question_id = arrival.item->asked.question.id;
        replies.push_back(stored_form(respondent, arrival.reply));
      }
    }
    if (Result<void> stored = store_.put_replies(options_.run_id, replies); !stored) {
      return note_failure(stored.error());
    }
    for (Arrival& arrival : batch) {
      if (!arrival.item) continue;
      const std::lock_guard lock(mutex_);
      settle(arrival);
      changed_.notify_one();
    }
    changed_.notify_all();
  }

  void give_up(Arrival& arrival) {
    budget_.take_back(arrival.expected);
    arrival.item.reset();
    const std::lock_guard lock(mutex_);
    --open_;
  }

  void ask_without_form(Arrival& arrival) {
    budget_.take_back(arrival.expected);
    const std::lock_guard lock(mutex_);
    knows_form_[arrival.item->asked.respondent] = false;
    --open_;
    const std::size_t owner = arrival.item->owner;
    arrival.item->is_back.clear();
    ready_.emplace(std::pair(owner, ++last_number_), std::move(arrival.item));
  }

  // Mutex held.
  void settle(Arrival& arrival) {
    if (arrival.is_fresh) budget_.settle(arrival.expected, arrival.reply.usage);
    ++(arrival.is_fresh ? counts_.asked : counts_.reused);
    ++outcomes_[static_cast<std::size_t>(arrival.reply.outcome)];
    const std::size_t owner = arrival.item->owner;
    std::vector<GraphQuestion> more = source_.take(owner, arrival.item->asked, arrival.reply);
    --open_;
    --left_of_[owner];
    add(owner, std::move(more));
  }

  // --- ticker's thread ---

  void tick() {
    bool told = false;
    std::unique_lock lock(mutex_);
    while (!over_) {
      tick_wake_.wait_for(lock, kTick);
      const OutcomeCounts outcomes = outcomes_;
      lock.unlock();
      if (!told && is_stopping()) {
        told = true;
        budget_.stop();
        for (Model* model : models_) model->stop();
      }
      std::size_t in_flight = 0;
      for (const Model* model : models_) in_flight += model->load().in_flight;
      progress_.set_note(progress_note(in_flight, budget_.spent(), outcomes));
      lock.lock();
    }
  }

  // --- any thread ---

  bool is_stopping() const {
    return stopping_.load() || (options_.cancel != nullptr && options_.cancel->requested());
  }
  bool knows_form(std::size_t respondent) {
    const std::lock_guard lock(mutex_);
    return knows_form_[respondent];
  }
  // What a thread may not let through: the run stops with the reason, and keeps the replies it has.
  template <class Work>
  void guarded(std::string_view what, const Work& work) {
    try {
      work();
    } catch (const std::exception& thrown) {
      note_failure({.what = std::string(what),
                    .why = thrown.what(),
                    .hint = "Replies that came are stored; the same command goes on from there."});
    }
  }
  void note_failure(const Error& error) {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) failure_ = error;
    stopping_.store(true);
  }

  GraphSource& source_;
  const GraphOptions& options_;
  store::Store& store_;
  Budget& budget_;
  Progress& progress_;
  std::vector<Model*> models_;
  inspectors::vlm::Inbox<Arrival> inbox_;

  std::mutex mutex_;  // everything down to `over_`, and the source
  std::condition_variable changed_, tick_wake_;
  std::map<std::pair<std::size_t, std::uint64_t>, ItemPtr> ready_;  // earliest owner first
  std::map<std::size_t, std::size_t> left_of_;                      // open questions of an owner
  std::vector<bool> knows_form_;
  std::size_t owners_ = 0, next_owner_ = 0, finished_ = 0, open_ = 0;
  OutcomeCounts outcomes_{};
  std::uint64_t last_number_ = 0;
  GraphCounts counts_;
  bool over_ = false;

  std::atomic<std::size_t> asked_{0};  // of the open ones: with the models
  std::atomic<bool> stopping_{false};
  std::mutex failure_mutex_;
  std::optional<Error> failure_;
};

}  // namespace

Result<GraphCounts> ask_graph(std::size_t owners, GraphSource& source, const GraphOptions& options,
                              store::Store& store, Budget& budget, const std::string& label) {
  Progress progress(label, owners, options.progress);
  return Graph(owners, source, options, store, budget, progress).run();
}

}  // namespace awry::pipeline
