// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/asking_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
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
  std::string key;
};

struct Arrival {
  std::unique_ptr<Item> item;
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
  }

  Result<GraphCounts> run() {
    std::thread keeper([this] { keep(); });
    std::thread ticker([this] { tick(); });
    std::vector<std::thread> workers;
    for (int i = 0; i < std::max(1, options_.threads); ++i) workers.emplace_back([this] { work(); });
    for (std::thread& worker : workers) worker.join();
    for (const Respondent& respondent : options_.respondents) {
      if (is_stopping()) respondent.model->stop();
      respondent.model->finish();
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
    while (std::unique_ptr<Item> item = next()) ask(std::move(item));
  }

  // The next question of the earliest owner; waits for one. Null when there will be none.
  std::unique_ptr<Item> next() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (is_stopping()) return nullptr;
      if (open_ < options_.max_open) {
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
      ready_.emplace(std::pair(owner, ++last_number_),
                     std::make_unique<Item>(Item{owner, std::move(question), {}}));
    }
    if (left == 0) {
      left_of_.erase(owner);
      ++finished_;
      progress_.add();
    }
  }

  void ask(std::unique_ptr<Item> item) {
    GraphQuestion& asked = item->asked;
    const Respondent& respondent = options_.respondents[asked.respondent];
    item->key = reply_key(*respondent.model, *asked.sample, asked.question, asked.reask);
    if (std::optional<Reply> known = find_known(*item, *respondent.model)) {
      known->question_id = asked.question.id;
      return inbox_.put({.item = std::move(item), .reply = std::move(*known)});
    }
    Usage expected;
    // Guessing reads the headers of pictures: only where a limit makes it matter.
    if (budget_.has_limits()) expected = expected_usage(respondent, *asked.sample, asked.question);
    if (!budget_.admit(expected)) {
      stopping_.store(true);
      return changed_.notify_all();
    }
    if (!knows_form(asked.respondent)) asked.question.attributes.erase(kResponseFormat);
    // Callbacks must be copyable, so the item travels as a bare pointer between here and the inbox.
    Item* const travelling = item.release();
    respondent.model->begin(
        *travelling->asked.sample, travelling->asked.question, travelling->key,
        [this, travelling, expected](Reply reply) {
          inbox_.put({std::unique_ptr<Item>(travelling), std::move(reply), expected, true});
        });
  }

  // A reply that cannot be read counts as known: it leads to a question of its own.
  std::optional<Reply> find_known(const Item& item, const Model& model) {
    Result<std::optional<Reply>> known =
        find_known_reply({.own = options_.own_replies, .ask_again = options_.ask_again, .store = store_},
                         model, item.asked.question.id, item.key,
                         [&](const Reply& reply) { return is_usable_reply(reply, options_.retry_errors); });
    if (known) return std::move(*known);
    note_failure(known.error());
    return std::nullopt;
  }

  // --- keeper's thread ---

  void keep() {
    for (auto batch = inbox_.take_all(); !batch.empty(); batch = inbox_.take_all()) keep(batch);
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
        if (arrival.is_fresh) complete_reply(respondent, arrival.item->key, arrival.reply);
        arrival.reply.question_id = arrival.item->asked.question.id;
        replies.push_back(stored_form(respondent, arrival.reply));
      }
    }
    if (Result<void> stored = store_.put_replies(options_.run_id, replies); !stored) {
      return note_failure(stored.error());
    }
    {
      const std::lock_guard lock(mutex_);
      for (Arrival& arrival : batch) {
        if (arrival.item) settle(arrival);
      }
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
    ready_.emplace(std::pair(owner, ++last_number_), std::move(arrival.item));
  }

  // Mutex held.
  void settle(Arrival& arrival) {
    if (arrival.is_fresh) budget_.settle(arrival.expected, arrival.reply.usage);
    ++(arrival.is_fresh ? counts_.asked : counts_.reused);
    if (arrival.reply.outcome != Outcome::kAnswered) ++failed_replies_;
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
      const std::size_t failed = failed_replies_;
      lock.unlock();
      if (!told && is_stopping()) {
        told = true;
        budget_.stop();
        for (const Respondent& respondent : options_.respondents) respondent.model->stop();
      }
      progress_.set_note(note(failed));
      lock.lock();
    }
  }

  std::string note(std::size_t failed) const {
    std::size_t in_flight = 0;
    for (const Respondent& respondent : options_.respondents) in_flight += respondent.model->load().in_flight;
    std::vector<std::string> parts = progress_parts(in_flight, budget_.spent());
    if (failed > 0) parts.push_back(fmt::format("{} replies failed", failed));
    return join(parts, ", ");
  }

  // --- any thread ---

  bool is_stopping() const {
    return stopping_.load() || (options_.cancel != nullptr && options_.cancel->requested());
  }
  bool knows_form(std::size_t respondent) {
    const std::lock_guard lock(mutex_);
    return knows_form_[respondent];
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
  inspectors::vlm::Inbox<Arrival> inbox_;

  std::mutex mutex_;  // everything down to `over_`, and the source
  std::condition_variable changed_, tick_wake_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::unique_ptr<Item>> ready_;  // earliest owner first
  std::map<std::size_t, std::size_t> left_of_;  // open questions of an owner
  std::vector<bool> knows_form_;
  std::size_t owners_ = 0, next_owner_ = 0, finished_ = 0, open_ = 0, failed_replies_ = 0;
  std::uint64_t last_number_ = 0;
  GraphCounts counts_;
  bool over_ = false;

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
