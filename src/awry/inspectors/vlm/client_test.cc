// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/client.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <thread>

#include "awry/base/json.h"
#include "awry/inspectors/vlm/inbox.h"
#include "awry/inspectors/vlm/testing/scripted_server.h"
#include "awry/inspectors/vlm/testing/scripts.h"

namespace awry::inspectors::vlm {
namespace {

using namespace std::chrono_literals;
using testing::answer_question;
using testing::Ending;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ReceivedRequest;
using testing::ScriptedReply;
using testing::ScriptedServer;

ChatRequest question(const std::string& id, ModelArgs args = {}) {
  return {.question_id = id,
          .model = "m",
          .turns = {{"user", {{.text = fmt::format("Is it real? [[{}]]", id)}}}},
          .args = std::move(args)};
}

// Short waits between attempts, so that tests of patience need none. An attempt may take long: on a machine
// with much else to do even a reply that was sent at once arrives late, and asking again would be counted.
ClientOptions hasty() {
  return {.pacing = {.max_retries = 8, .first_backoff = 5ms, .max_backoff = 50ms},
          .attempt_timeout = 60s,
          .total_timeout = 300s};
}

// For servers that stall: every stall costs the test this long.
ClientOptions impatient() {
  ClientOptions options = hasty();
  options.attempt_timeout = 1s;
  return options;
}

std::vector<Endpoint> at(const std::string& url, std::string key = "") {
  return {{.base_url = url, .api_key = std::move(key)}};
}

// Replies by question; a second reply to a question is a failure.
class Replies {
 public:
  std::function<void(Reply)> keeper() {
    return [this](Reply reply) {
      const std::lock_guard lock(mutex_);
      const std::string id = reply.question_id;
      EXPECT_TRUE(replies_.emplace(id, std::move(reply)).second) << id << " was called back twice";
    };
  }
  const Reply& of(const std::string& id) const { return replies_.at(id); }
  const std::map<std::string, Reply>& all() const { return replies_; }

 private:
  std::mutex mutex_;
  std::map<std::string, Reply> replies_;
};

Reply ask_one(ChatClient& client, const ChatRequest& request) {
  Replies replies;
  client.ask(request, replies.keeper());
  client.drain();
  return replies.of(request.question_id);
}

TEST(Client, BringsBackTheAnswerWithItsParticulars) {
  ScriptedServer server([](const ReceivedRequest& request) {
    EXPECT_EQ(request.path, "/v1/chat/completions");
    EXPECT_EQ(request.headers.at("content-type"), "application/json");
    EXPECT_EQ(request.headers.at("authorization"), "Bearer key-12345678");
    EXPECT_TRUE(parse_json(request.body, "body"));
    return answer_question(request);
  });
  ChatClient client(at(server.base_url(), "key-12345678"));
  const Reply reply = ask_one(client, question("q1"));
  EXPECT_EQ(reply.outcome, Outcome::kAnswered);
  EXPECT_EQ(reply.text, "answer to q1");
  EXPECT_EQ(reply.model, "m");
  EXPECT_EQ(reply.returned_model, "scripted-2026-01-01");
  EXPECT_EQ(reply.fingerprint, "fp_scripted");
  EXPECT_EQ(reply.usage, (Usage{100, 7}));
  EXPECT_EQ(reply.attempt, 1);
  EXPECT_GT(reply.latency_ms, 0);
}

TEST(Client, SendsNoKeyWhereThereIsNoneAndTheUsersHeadersInstead) {
  ScriptedServer server([](const ReceivedRequest& request) {
    EXPECT_FALSE(request.headers.contains("authorization") && !request.headers.contains("x-title"));
    return answer_question(request);
  });
  ChatClient bare(at(server.base_url()));
  EXPECT_EQ(ask_one(bare, question("q1")).outcome, Outcome::kAnswered);
  ChatClient own({{.base_url = server.base_url(),
                   .api_key = "unused-key",
                   .headers = {{"Authorization", "Basic abc"}, {"X-Title", "t"}}}});
  EXPECT_EQ(ask_one(own, question("q2")).outcome, Outcome::kAnswered);
}

TEST(Client, LosesNothingAndAsksNothingTwiceWhenAThirdOfAllRequestsFail) {
  ScriptedServer server(testing::faulty(0.3, 2026, [](const ReceivedRequest& request) {
    ScriptedReply reply = answer_question(request);
    reply.latency = 2ms;
    return reply;
  }));
  constexpr int kQuestions = 500;
  Replies replies;
  ChatClient client(at(server.base_url()), impatient());
  for (int i = 0; i < kQuestions; ++i) client.ask(question(fmt::format("q{}", i)), replies.keeper());
  client.drain();

  ASSERT_EQ(replies.all().size(), static_cast<std::size_t>(kQuestions));
  int answered = 0;
  for (const auto& [id, reply] : replies.all()) {
    if (reply.outcome == Outcome::kAnswered) {
      ++answered;
      EXPECT_EQ(reply.text, "answer to " + id);
    } else {
      EXPECT_EQ(reply.outcome, Outcome::kTransport) << id;
      EXPECT_FALSE(reply.error.empty()) << id;
    }
  }
  EXPECT_GE(answered, kQuestions - 2);  // nine attempts, each failing with 0.3: 1 in 50,000
  const testing::ServerCounts counts = server.counts();
  EXPECT_EQ(counts.asked_after_reply, 0u);
  EXPECT_EQ(counts.per_question.size(), static_cast<std::size_t>(kQuestions));
  EXPECT_GT(client.stats().stumbled, 50u);
  EXPECT_GT(client.stats().slowed_down, 10u);
  EXPECT_EQ(client.stats().in_flight, 0u);
  EXPECT_EQ(client.stats().waiting, 0u);
}

TEST(Client, GivesUpAfterTheRetriesItWasAllowed) {
  ScriptedServer server([](const ReceivedRequest&) { return testing::server_error(500); });
  ClientOptions options = hasty();
  options.pacing.max_retries = 3;
  ChatClient client(at(server.base_url()), options);
  const Reply reply = ask_one(client, question("q1"));
  EXPECT_EQ(reply.outcome, Outcome::kTransport);
  EXPECT_EQ(reply.attempt, 4);
  EXPECT_THAT(reply.error, HasSubstr("HTTP 500"));
  EXPECT_THAT(reply.error, HasSubstr(server.base_url()));
  EXPECT_EQ(server.counts().requests, 4u);
}

TEST(Client, WaitsAsLongAsTheEndpointAsks) {
  std::vector<std::chrono::steady_clock::time_point> arrivals;
  ScriptedServer server([&](const ReceivedRequest& request) {
    arrivals.push_back(request.arrived);
    return request.nth == 1 ? testing::refusal_429("0.2") : answer_question(request);
  });
  ChatClient client(at(server.base_url()), hasty());
  EXPECT_EQ(ask_one(client, question("q1")).outcome, Outcome::kAnswered);
  ASSERT_EQ(arrivals.size(), 2u);
  EXPECT_GE(arrivals[1] - arrivals[0], 195ms);
}

TEST(Client, DoesNotWaitBeyondTheTotalTime) {
  ScriptedServer server([](const ReceivedRequest&) { return testing::refusal_429("3600"); });
  ChatClient client(at(server.base_url()), hasty());
  const Reply reply = ask_one(client, question("q1"));
  EXPECT_EQ(reply.outcome, Outcome::kTransport);
  EXPECT_EQ(server.counts().requests, 1u);
}

TEST(Client, EndsAStalledAttemptInTime) {
  ScriptedServer server([](const ReceivedRequest& request) {
    ScriptedReply reply = answer_question(request);
    if (request.nth == 1) reply.ending = Ending::kStall;
    return reply;
  });
  ChatClient client(at(server.base_url()), impatient());
  const Reply reply = ask_one(client, question("q1"));
  EXPECT_EQ(reply.outcome, Outcome::kAnswered);
  EXPECT_EQ(reply.attempt, 2);
}

TEST(Client, DoublesTheLimitOnceWhenAReplyIsCutOff) {
  std::vector<int> limits;
  ScriptedServer server([&](const ReceivedRequest& request) {
    limits.push_back((*parse_json(request.body, "body"))["max_tokens"]);
    const bool enough = limits.back() >= 200 && request.question == "short";
    ScriptedReply reply = enough ? testing::completion("whole") : testing::completion("cut", "length");
    reply.counts_as_reply = false;
    return reply;
  });
  ChatClient client(at(server.base_url()), hasty());
  const ModelArgs args{{{"max_tokens", "100"}}};
  const Reply whole = ask_one(client, question("short", args));
  EXPECT_EQ(whole.outcome, Outcome::kAnswered);
  EXPECT_EQ(whole.text, "whole");
  EXPECT_EQ(whole.usage, (Usage{200, 14}));  // both were paid for
  EXPECT_EQ(ask_one(client, question("long", args)).outcome, Outcome::kTruncated);
  EXPECT_EQ(limits, (std::vector<int>{100, 200, 100, 200}));
}

TEST(Client, KeepsTheCutOffReplyWhenTheLongerOneFails) {
  ScriptedServer server([](const ReceivedRequest& request) {
    return request.nth == 1 ? testing::completion("cut", "length") : testing::server_error(500);
  });
  ClientOptions options = hasty();
  options.pacing.max_retries = 1;
  ChatClient client(at(server.base_url()), options);
  const Reply reply = ask_one(client, question("q1", {{{"max_tokens", "100"}}}));
  EXPECT_EQ(reply.outcome, Outcome::kTruncated);
  EXPECT_EQ(reply.text, "cut");
  EXPECT_EQ(reply.usage, (Usage{100, 7}));
}

TEST(Client, NeverShowsAKey) {
  constexpr const char* kKey = "very-secret-key-1";
  ScriptedServer server([](const ReceivedRequest& request) -> ScriptedReply {
    const std::string echo = request.headers.at("authorization");
    if (request.question == "error") return {.status = 400, .body = "you sent " + echo};
    if (request.question == "html") return {.body = "<p>" + echo + "</p>", .content_type = "text/" + echo};
    return testing::completion("you sent " + echo);
  });
  ClientOptions options = hasty();
  options.pacing.max_retries = 1;
  ChatClient client(at(server.base_url(), kKey), options);
  for (const char* id : {"error", "html", "text"}) {
    const Reply reply = ask_one(client, question(id));
    EXPECT_THAT(reply.text + reply.error, HasSubstr("[redacted]"));
    EXPECT_THAT(reply.text + reply.error, Not(HasSubstr("secret")));
  }
}

TEST(Client, StopsAskingAnEndpointThatRefusesTheKey) {
  ScriptedServer server([](const ReceivedRequest&) -> ScriptedReply {
    return {.status = 401, .body = R"({"error":{"message":"Incorrect API key"}})"};
  });
  ClientOptions options = hasty();
  options.pacing.first_concurrency = 2;
  options.pacing.max_concurrency = 2;
  ChatClient client(at(server.base_url()), options);
  Replies replies;
  for (int i = 0; i < 200; ++i) client.ask(question(fmt::format("q{}", i)), replies.keeper());
  client.drain();
  ASSERT_EQ(replies.all().size(), 200u);
  for (const auto& [id, reply] : replies.all()) {
    EXPECT_EQ(reply.outcome, Outcome::kTransport);
    EXPECT_THAT(reply.error, HasSubstr("Incorrect API key"));
  }
  EXPECT_LE(server.counts().requests, 5u);
  EXPECT_THAT(client.stats().endpoints[0].set_aside, HasSubstr("401"));
  // Also what is asked afterwards.
  EXPECT_EQ(ask_one(client, question("later")).outcome, Outcome::kTransport);
}

TEST(Client, StopsAskingWhereNobodyEverAnswers) {
  ClientOptions options = hasty();
  options.pacing.max_retries = 2;
  ChatClient client(at("http://127.0.0.1:1/v1"), options);
  Replies replies;
  for (int i = 0; i < 1000; ++i) client.ask(question(fmt::format("q{}", i)), replies.keeper());
  client.drain();
  ASSERT_EQ(replies.all().size(), 1000u);
  for (const auto& [id, reply] : replies.all()) EXPECT_EQ(reply.outcome, Outcome::kTransport);
  EXPECT_LT(client.stats().sent, 300u) << "a thousand questions of three attempts each would be 3,000";
  EXPECT_FALSE(client.stats().endpoints[0].set_aside.empty());
}

TEST(Client, SharesTheLoadBetweenEndpoints) {
  const auto slow_answer = [](const ReceivedRequest& request) {
    ScriptedReply reply = answer_question(request);
    reply.latency = 30ms;
    return reply;
  };
  ScriptedServer one(slow_answer), two(slow_answer);
  ClientOptions options = hasty();
  options.pacing.max_concurrency = 8;  // 25 rounds: one of them may be late without leaving all to the other
  ChatClient client({{.base_url = one.base_url()}, {.base_url = two.base_url()}}, options);
  Replies replies;
  for (int i = 0; i < 400; ++i) client.ask(question(fmt::format("q{}", i)), replies.keeper());
  client.drain();
  EXPECT_EQ(replies.all().size(), 400u);
  EXPECT_EQ(one.counts().requests + two.counts().requests, 400u);
  EXPECT_GT(one.counts().requests, 100u);
  EXPECT_GT(two.counts().requests, 100u);
}

TEST(Client, GoesRoundAnEndpointThatIsDownOrRefuses) {
  ScriptedServer good(answer_question);
  ScriptedServer locked(
      [](const ReceivedRequest&) -> ScriptedReply { return {.status = 401, .body = "{}"}; });
  ChatClient client(
      {{.base_url = "http://127.0.0.1:1/v1"}, {.base_url = locked.base_url()}, {.base_url = good.base_url()}},
      hasty());
  Replies replies;
  for (int i = 0; i < 200; ++i) client.ask(question(fmt::format("q{}", i)), replies.keeper());
  client.drain();
  for (const auto& [id, reply] : replies.all()) EXPECT_EQ(reply.outcome, Outcome::kAnswered) << reply.error;
  EXPECT_EQ(replies.all().size(), 200u);
}

TEST(Client, CallsEverythingBackWhenCancelled) {
  ScriptedServer server([](const ReceivedRequest&) -> ScriptedReply { return {.ending = Ending::kStall}; });
  ChatClient client(at(server.base_url()), hasty());
  Replies replies;
  for (int i = 0; i < 100; ++i) client.ask(question(fmt::format("q{}", i)), replies.keeper());
  while (server.counts().requests < 4) std::this_thread::sleep_for(1ms);
  client.cancel();
  client.ask(question("too late"), replies.keeper());
  client.drain();
  ASSERT_EQ(replies.all().size(), 101u);
  for (const auto& [id, reply] : replies.all()) EXPECT_TRUE(was_cancelled(reply)) << id;
}

TEST(Client, LetsWhatIsInFlightComeBackWhenItStopsAsking) {
  ScriptedServer server([](const ReceivedRequest& request) {
    ScriptedReply reply = answer_question(request);
    reply.latency = 1s;  // long enough to stop before the first comes back
    return reply;
  });
  ClientOptions options = hasty();
  options.pacing.first_concurrency = options.pacing.max_concurrency = 4;
  ChatClient client(at(server.base_url()), options);
  Replies replies;
  for (int i = 0; i < 50; ++i) client.ask(question(fmt::format("q{}", i)), replies.keeper());
  while (server.counts().requests < 4) std::this_thread::sleep_for(1ms);
  client.stop_asking();
  client.drain();
  int answered = 0;
  for (const auto& [id, reply] : replies.all()) {
    if (reply.outcome == Outcome::kAnswered) {
      ++answered;
    } else {
      EXPECT_TRUE(was_cancelled(reply));
    }
  }
  EXPECT_EQ(replies.all().size(), 50u);
  EXPECT_EQ(answered, 4);
}

TEST(Client, MayBeDestroyedWithQuestionsOpen) {
  ScriptedServer server([](const ReceivedRequest&) -> ScriptedReply { return {.ending = Ending::kStall}; });
  Replies replies;
  {
    ChatClient client(at(server.base_url()));
    for (int i = 0; i < 30; ++i) client.ask(question(fmt::format("q{}", i)), replies.keeper());
  }
  EXPECT_EQ(replies.all().size(), 30u);
}

TEST(Client, HoldsBackCallersWhileTooMuchIsOpen) {
  ScriptedServer server(answer_question);
  ClientOptions options = hasty();
  options.max_open_questions = 10;
  options.max_open_bytes = 2000;  // about ten small questions; a large one goes alone
  ChatClient client(at(server.base_url()), options);
  std::size_t most_open = 0;
  Replies replies;
  for (int i = 0; i < 200; ++i) {
    ChatRequest request = question(fmt::format("q{}", i));
    if (i % 50 == 0) request.turns[0].parts[0].text += std::string(5000, 'x');
    client.ask(request, replies.keeper());
    const ClientStats stats = client.stats();
    most_open = std::max(most_open, stats.waiting + stats.in_flight);
  }
  client.drain();
  EXPECT_EQ(replies.all().size(), 200u);
  EXPECT_LE(most_open, 10u);
}

TEST(Client, MayBeAskedFromItsOwnCallbacks) {
  ScriptedServer server(answer_question);
  ClientOptions options = hasty();
  options.max_open_questions = 1;
  ChatClient client(at(server.base_url()), options);
  Replies replies;
  client.ask(question("first"), [&](Reply) { client.ask(question("second"), replies.keeper()); });
  client.drain();
  EXPECT_EQ(replies.of("second").text, "answer to second");
}

TEST(Client, IsAskedFromManyThreadsAndKeptByOne) {
  ScriptedServer server(answer_question);
  ChatClient client(at(server.base_url()));
  Inbox<Reply> inbox;
  std::map<std::string, std::string> kept;
  std::jthread keeper([&] {
    for (auto batch = inbox.take_all(); !batch.empty(); batch = inbox.take_all()) {
      for (const Reply& reply : batch) kept[reply.question_id] = reply.text;
    }
  });
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 100; ++i) {
          client.ask(question(fmt::format("q{}-{}", t, i)),
                     [&](Reply reply) { inbox.put(std::move(reply)); });
        }
      });
    }
  }
  client.drain();
  inbox.close();
  keeper.join();
  EXPECT_EQ(kept.size(), 400u);
  EXPECT_EQ(kept["q3-99"], "answer to q3-99");
}

}  // namespace
}  // namespace awry::inspectors::vlm
