// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "awry/inspectors/vlm/response.h"
#include "awry/inspectors/vlm/route.h"

namespace awry::inspectors::vlm {
namespace {

constexpr std::string_view kCancelled = "cancelled";

struct Open {
  std::string question_id, model;
  std::string path;  // empty: chat
  std::string content_type = "application/json";
  Reading (*read)(const HttpResponse&) = read_response;
  ModelArgs args;
  std::shared_ptr<ChatBody> body;
  std::function<void(Reply)> done;
  std::size_t bytes = 0;
  int attempts = 0, retries = 0;
  std::optional<Clock::time_point> first_departure;
  std::size_t last_endpoint = 0;
  Usage spent;                     // by attempts before this one
  std::optional<Reply> truncated;  // the reply whose limit is being doubled
};
using OpenPtr = std::shared_ptr<Open>;

void add_usage(Usage& to, const Usage& more) {
  to.input_tokens += more.input_tokens;
  to.output_tokens += more.output_tokens;
  if (more.cost_usd) to.cost_usd = to.cost_usd.value_or(0) + *more.cost_usd;
}

}  // namespace

// Everything below "engine's thread" runs there and needs no lock; `mutex_` guards only the counts that
// other threads read.
class ChatClient::Engine {
 public:
  Engine(std::vector<Endpoint> endpoints, const ClientOptions& options, std::unique_ptr<TransferQueue> queue)
      : options_(options), redactor_(endpoints), random_(options.seed), queue_(std::move(queue)) {
    assert(!endpoints.empty() && "a client needs somewhere to send its questions");
    for (Endpoint& endpoint : endpoints) routes_.push_back(make_route(std::move(endpoint), options.pacing));
    publish_routes();
    queue_->call_at(Clock::now(), [this] { engine_thread_ = std::this_thread::get_id(); });
  }

  // --- any thread ---

  void ask(const ChatRequest& request, std::function<void(Reply)> done) {
    auto open = std::make_shared<Open>();
    open->question_id = request.question_id;
    open->model = request.model;
    open->args = request.args;
    open->done = std::move(done);
    open->body = std::make_shared<ChatBody>(write_chat_body(request));
    enter(open);
  }

  void post(PostRequest request, std::function<void(Reply)> done) {
    auto open = std::make_shared<Open>();
    open->question_id = std::move(request.question_id);
    open->model = std::move(request.model);
    open->path = std::move(request.path);
    open->content_type = std::move(request.content_type);
    open->read = request.read;
    open->done = std::move(done);
    open->body = std::make_shared<ChatBody>(std::move(request.body));
    enter(open);
  }

  void enter(const OpenPtr& open) {
    open->bytes = open->body->json.size();
    {
      std::unique_lock lock(mutex_);
      if (std::this_thread::get_id() != engine_thread_.load()) {
        changed_.wait(lock, [&] { return has_room(open->bytes) || stopped_; });
      }
      ++open_questions_;
      open_bytes_ += open->bytes;
    }
    queue_->call_at(Clock::now(), [this, open] { take_in(open); });
  }

  void drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return open_questions_ == 0; });
  }

  void stop_asking() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    queue_->call_at(Clock::now(), [this] { give_up_waiting(kCancelled); });
  }

  void cancel() {
    stop_asking();
    // From the engine's own thread, where nothing can be on its way into the queue any more.
    queue_->call_at(Clock::now(), [this] { queue_->cancel_all(); });
  }

  ClientStats stats() const {
    const std::lock_guard lock(mutex_);
    ClientStats stats = stats_;
    stats.waiting = open_questions_ - stats.in_flight;
    return stats;
  }

 private:
  bool has_room(std::size_t bytes) const {
    return open_questions_ == 0 ||
           (open_questions_ < options_.max_open_questions && open_bytes_ + bytes <= options_.max_open_bytes);
  }

  // --- engine's thread ---

  void take_in(const OpenPtr& open) {
    ready_.push_back(open);
    pump();
  }

  // Sends what may be sent now, and comes back when more may be.
  void pump() {
    if (is_stopped()) return give_up_waiting(kCancelled);
    if (nobody_left()) return give_up_waiting(routes_.front().set_aside);
    const Clock::time_point now = Clock::now();
    while (!ready_.empty()) {
      const std::optional<std::size_t> route = choose_route(*ready_.front(), now);
      if (!route) break;
      const OpenPtr open = ready_.front();
      ready_.pop_front();
      send(open, *route, now);
    }
    if (!ready_.empty()) wake_when_allowed(now);
    publish_routes();
  }

  // Among the endpoints that may be asked now, one that did not just fail this question, is in good health
  // and has least under way: the faster one empties sooner and so gets more.
  std::optional<std::size_t> choose_route(const Open& open, Clock::time_point now) {
    std::optional<std::size_t> best;
    double best_load = 0;
    for (std::size_t i = 0; i < routes_.size(); ++i) {
      Route& route = routes_[i];
      if (!route.set_aside.empty()) continue;
      const std::optional<Clock::time_point> when = route.pacer.next_departure(now);
      if (!when || *when > now) continue;
      double load = (route.pacer.in_flight() + 1) * (1.0 + route.pacer.failures_in_row());
      if (open.retries > 0 && i == open.last_endpoint) load *= 2;
      if (!best || load < best_load) {
        best = i;
        best_load = load;
      }
    }
    return best;
  }

  void wake_when_allowed(Clock::time_point now) {
    std::optional<Clock::time_point> earliest;
    for (Route& route : routes_) {
      if (!route.set_aside.empty()) continue;
      const std::optional<Clock::time_point> when = route.pacer.next_departure(now);
      if (when && (!earliest || *when < *earliest)) earliest = when;
    }
    // Nothing allowed until something comes back: that will pump.
    if (!earliest || (pump_at_ && *pump_at_ <= *earliest)) return;
    pump_at_ = earliest;
    queue_->call_at(*earliest, [this, when = *earliest] {
      if (pump_at_ == when) pump_at_.reset();
      pump();
    });
  }

  void send(const OpenPtr& open, std::size_t index, Clock::time_point now) {
    Route& route = routes_[index];
    route.pacer.departed(now);
    if (!open->first_departure) open->first_departure = now;
    ++open->attempts;
    open->last_endpoint = index;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_of(*open) - now);
    count([](ClientStats& stats) {
      ++stats.in_flight;
      ++stats.sent;
    });
    Headers headers = route.headers;
    if (!find_header(headers, "Content-Type")) headers.push_back({"Content-Type", open->content_type});
    queue_->submit({.url = route.url_of(open->path),
                    .headers = std::move(headers),
                    .body = std::shared_ptr<const std::string>(open->body, &open->body->json),
                    .timeout = std::clamp(left, std::chrono::milliseconds(1), options_.attempt_timeout),
                    .connect_timeout = options_.connect_timeout},
                   [this, open, index](HttpResponse response) { came_back(open, index, response); });
  }

  void came_back(const OpenPtr& open, std::size_t index, const HttpResponse& response) {
    count([](ClientStats& stats) { --stats.in_flight; });
    Route& route = routes_[index];
    const Clock::time_point now = Clock::now();
    Reading reading = read_safely(*open, response);
    const ServerHints hints = read_server_hints(response.headers, std::chrono::system_clock::now());
    reading.reply.latency_ms = response.elapsed.count();

    if (response.fault == Fault::kCancelled) {
      route.pacer.ended();
      finish_cancelled(open);
    } else if (reading.next == Next::kDone) {
      if (response.fault == Fault::kNone) {
        route.pacer.succeeded(now, std::chrono::duration_cast<Clock::duration>(response.elapsed), hints);
        route.answered(response.status / 100 == 2);
      } else {
        route.pacer.ended();
      }
      const bool came = reading.reply.outcome != Outcome::kTransport;
      came ? settle(open, std::move(reading.reply)) : fail_for_good(open, std::move(reading.reply));
    } else if (reading.next == Next::kHopeless) {
      route.pacer.ended();
      note_hopeless(route, reading.reply.error);
      if (routes_.size() > 1 && !nobody_left()) {
        ask_again(open, std::move(reading.reply), {.retry_after = std::chrono::milliseconds(0)}, now);
      } else {
        fail_for_good(open, std::move(reading.reply));
      }
    } else {
      const bool too_fast = reading.next == Next::kSlowDown;
      too_fast ? route.pacer.slowed_down(now, hints) : route.pacer.stumbled(now, hints);
      count([&](ClientStats& stats) { ++(too_fast ? stats.slowed_down : stats.stumbled); });
      // Where nobody ever answered, a wrong address is likelier than a bad hour.
      const bool nobody_there = response.fault == Fault::kConnection && !route.ever_succeeded;
      if (nobody_there && open->retries >= options_.pacing.max_retries) {
        note_hopeless(route, reading.reply.error);
      }
      ask_again(open, std::move(reading.reply), hints, now);
    }
    pump();
  }

  // A response that a parser throws at is one question's failure; on this thread it would be everyone's.
  static Reading read_safely(const Open& open, const HttpResponse& response) {
    try {
      return open.read(response);
    } catch (const std::exception& thrown) {
      return {.reply = {.outcome = Outcome::kTransport,
                        .error = fmt::format("cannot read the response: {}", thrown.what())}};
    }
  }

  // A reply came. Only one cut off at a limit that we can raise is asked again.
  void settle(const OpenPtr& open, Reply reply) {
    if (reply.outcome == Outcome::kTruncated && options_.double_limit_when_truncated && !open->truncated &&
        !is_stopped()) {
      if (const std::optional<ModelArgs> doubled = with_doubled_limit(open->args)) {
        add_usage(open->spent, reply.usage);
        open->truncated = std::move(reply);
        open->body->replace_args(*doubled);
        ready_.push_front(open);
        count([](ClientStats& stats) { ++stats.doubled; });
        return;
      }
    }
    finish(open, std::move(reply));
  }

  void ask_again(const OpenPtr& open, Reply reply, const ServerHints& hints, Clock::time_point now) {
    if (is_stopped()) return finish_cancelled(open);
    ++open->retries;
    if (open->retries > options_.pacing.max_retries) return fail_for_good(open, std::move(reply));
    const std::chrono::milliseconds delay = retry_delay(open->retries, hints, options_.pacing, random_);
    if (now + delay >= deadline_of(*open)) {
      reply.error += fmt::format(" (no time left to wait {} ms and ask again)", delay.count());
      return fail_for_good(open, std::move(reply));
    }
    resting_.insert(open);
    queue_->call_at(now + delay, [this, open] {
      if (resting_.erase(open) == 0) return;  // given up meanwhile
      ready_.push_front(open);
      pump();
    });
  }

  void fail_for_good(const OpenPtr& open, Reply reply) {
    // A reply that was cut off is better than none.
    if (open->truncated) {
      open->spent = {};
      return finish(open, std::move(*open->truncated));
    }
    reply.error = fmt::format("{}: {}", routes_[open->last_endpoint].endpoint.base_url, reply.error);
    if (open->attempts > 1) reply.error += fmt::format(" (attempt {})", open->attempts);
    finish(open, std::move(reply));
  }

  void finish_cancelled(const OpenPtr& open) {
    if (open->truncated) return fail_for_good(open, {});
    finish(open,
           {.outcome = Outcome::kTransport, .finish_reason = std::string(kCancelled), .error = "cancelled"});
  }

  void finish(const OpenPtr& open, Reply reply) {
    reply.question_id = open->question_id;
    reply.model = open->model;
    reply.attempt = std::max(1, open->attempts);
    add_usage(reply.usage, open->spent);
    reply.error = redactor_.clean_message(reply.error);
    for (std::string* text : {&reply.text, &reply.returned_model, &reply.fingerprint, &reply.finish_reason}) {
      *text = redactor_.hide_secrets(*text);
    }
    for (auto& [name, value] : reply.unknown.raw) value = redactor_.hide_secrets(value);
    open->done(std::move(reply));
    open->done = nullptr;
    {
      const std::lock_guard lock(mutex_);
      --open_questions_;
      open_bytes_ -= open->bytes;
      ++stats_.finished;
    }
    changed_.notify_all();
  }

  void note_hopeless(Route& route, const std::string& why) {
    route.was_hopeless(redactor_.clean_message(why));
    publish_routes();
  }

  bool nobody_left() const {
    return std::ranges::none_of(routes_, [](const Route& route) { return route.set_aside.empty(); });
  }

  // Ends everything that is not in flight.
  void give_up_waiting(std::string_view why) {
    std::deque<OpenPtr> waiting = std::exchange(ready_, {});
    waiting.insert(waiting.end(), resting_.begin(), resting_.end());
    resting_.clear();
    for (const OpenPtr& open : waiting) give_up(open, why);
  }

  void give_up(const OpenPtr& open, std::string_view why) {
    if (why == kCancelled) return finish_cancelled(open);
    fail_for_good(open, {.outcome = Outcome::kTransport, .error = fmt::format("not asked: {}", why)});
  }

  bool is_stopped() const {
    const std::lock_guard lock(mutex_);
    return stopped_;
  }

  Clock::time_point deadline_of(const Open& open) const {
    return *open.first_departure + options_.total_timeout;
  }

  template <class Change>
  void count(Change change) {
    const std::lock_guard lock(mutex_);
    change(stats_);
  }

  void publish_routes() {
    const std::lock_guard lock(mutex_);
    stats_.endpoints.resize(routes_.size());
    for (std::size_t i = 0; i < routes_.size(); ++i) {
      const Route& route = routes_[i];
      EndpointStats& shown = stats_.endpoints[i];
      if (shown.base_url.empty()) shown.base_url = route.endpoint.base_url;
      shown.in_flight = route.pacer.in_flight();
      shown.concurrency = route.pacer.concurrency();
      shown.rate = route.pacer.rate();
      if (shown.set_aside.empty()) shown.set_aside = route.set_aside;
    }
  }

  const ClientOptions options_;
  const Redactor redactor_;
  RandomStream random_;
  std::vector<Route> routes_;
  std::deque<OpenPtr> ready_;  // may leave as soon as an endpoint allows
  std::set<OpenPtr> resting_;  // between two attempts
  std::optional<Clock::time_point> pump_at_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t open_questions_ = 0, open_bytes_ = 0;
  bool stopped_ = false;
  ClientStats stats_;
  std::atomic<std::thread::id> engine_thread_;

  // Last, so that its thread is gone before what its callbacks touch.
  std::unique_ptr<TransferQueue> queue_;
};

ChatClient::ChatClient(std::vector<Endpoint> endpoints, const ClientOptions& options,
                       std::unique_ptr<TransferQueue> queue)
    : engine_(std::make_unique<Engine>(std::move(endpoints), options, std::move(queue))) {}

ChatClient::~ChatClient() {
  cancel();
  drain();
}

void ChatClient::ask(const ChatRequest& request, std::function<void(Reply)> done) {
  engine_->ask(request, std::move(done));
}
void ChatClient::post(PostRequest request, std::function<void(Reply)> done) {
  engine_->post(std::move(request), std::move(done));
}
void ChatClient::drain() {
  engine_->drain();
}
void ChatClient::stop_asking() {
  engine_->stop_asking();
}
void ChatClient::cancel() {
  engine_->cancel();
}
ClientStats ChatClient::stats() const {
  return engine_->stats();
}

bool was_cancelled(const Reply& reply) {
  return reply.outcome == Outcome::kTransport && reply.finish_reason == kCancelled;
}

}  // namespace awry::inspectors::vlm
