// SPDX-License-Identifier: Apache-2.0
// measure_vlm SUBJECT: one measurement of the chat client against the scripted server, as one line of JSON.
// Client and server share this process and its cores, so figures are lower bounds.
#include <curl/curl.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "awry/inspectors/vlm/client.h"
#include "awry/inspectors/vlm/testing/scripts.h"

namespace {

using namespace awry;
using namespace awry::inspectors::vlm;
using namespace awry::inspectors::vlm::testing;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr std::size_t kPictureBytes = 1u << 20;

double seconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

ChatRequest question(int number, std::shared_ptr<const Picture> picture = nullptr) {
  Turn turn;
  if (picture) turn.parts.push_back({.picture = std::move(picture)});
  turn.parts.push_back({.text = fmt::format("What is odd here? [[q{}]]", number)});
  return {.question_id = fmt::format("q{}", number), .model = "scripted", .turns = {std::move(turn)}};
}

std::shared_ptr<const Picture> large_picture() {
  return std::make_shared<const Picture>(
      Picture{.bytes = std::string(kPictureBytes, 'x'), .mime_type = "image/png"});
}

Script late(std::chrono::milliseconds latency) {
  return [latency](const ReceivedRequest& request) {
    ScriptedReply reply = answer_question(request);
    reply.latency = latency;
    return reply;
  };
}

ClientOptions at_most(double in_flight) {
  ClientOptions options;
  options.pacing.max_concurrency = in_flight;
  return options;
}

void rate() {
  constexpr int kQuestions = 12'000;
  ScriptedServer server(late(50ms));
  ChatClient client({{.base_url = server.base_url()}}, at_most(256));
  std::atomic<int> answered{0};
  const auto start = steady_clock::now();
  for (int i = 0; i < kQuestions; ++i) {
    client.ask(question(i), [&](const Reply& reply) { answered += reply.outcome == Outcome::kAnswered; });
  }
  client.drain();
  fmt::print("{{\"requests_per_second\": {:.1f}, \"answered\": {}, \"asked\": {}}}\n",
             kQuestions / seconds_since(start), answered.load(), kQuestions);
}

// What libcurl itself reaches with the same body, one connection kept open, as often as the client sends it.
double plain_curl_megabytes_per_second(const std::string& url, const std::string& body, int times) {
  CURL* easy = curl_easy_init();
  curl_slist* headers = curl_slist_append(nullptr, "Content-Type: application/json");
  headers = curl_slist_append(headers, "Expect:");
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.data());
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 512L << 10);
  curl_easy_setopt(
      easy, CURLOPT_WRITEFUNCTION,
      +[](char*, std::size_t, std::size_t size, void*) -> std::size_t { return size; });
  const auto start = steady_clock::now();
  for (int i = 0; i < times; ++i) curl_easy_perform(easy);
  const double seconds = seconds_since(start);
  curl_slist_free_all(headers);
  curl_easy_cleanup(easy);
  return static_cast<double>(body.size()) * times / 1e6 / seconds;
}

// The machine's speed changes from second to second: both by turns, and the best of each.
void pictures() {
  constexpr int kQuestions = 100, kTurns = 10;
  ScriptedServer server(answer_question);
  const auto picture = large_picture();
  const std::string body = write_chat_body(question(0, picture)).json;
  double plain = 0, ours = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    plain = std::max(
        plain, plain_curl_megabytes_per_second(server.base_url() + "/chat/completions", body, kQuestions));
    ChatClient client({{.base_url = server.base_url()}}, at_most(16));
    const auto start = steady_clock::now();
    for (int i = 1; i <= kQuestions; ++i) {
      client.ask(question(turn * kQuestions + i, picture), [](const Reply&) {});
    }
    client.drain();
    ours = std::max(ours, static_cast<double>(body.size()) * kQuestions / 1e6 / seconds_since(start));
  }
  fmt::print("{{\"megabytes_per_second\": {:.1f}, \"plain_curl\": {:.1f}}}\n", ours, plain);
}

void memory() {
  constexpr int kQuestions = 4000;
  ScriptedServer server(late(500ms));
  ClientOptions options = at_most(1000);
  options.pacing.first_concurrency = 1000;
  ChatClient client({{.base_url = server.base_url()}}, options);
  for (int i = 0; i < kQuestions; ++i) client.ask(question(i), [](const Reply&) {});
  client.drain();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{{\"peak_mb\": {:.1f}, \"peak_in_flight\": {}}}\n",
             static_cast<double>(usage.ru_maxrss) * 1024 / 1e6, server.counts().peak_in_flight);
}

void hidden_limit(double limit) {
  const int questions = static_cast<int>(35 * limit);
  ScriptedServer server(limited_to(limit, std::max(2.0, limit / 10), late(50ms)));
  ChatClient client({{.base_url = server.base_url()}}, at_most(256));
  const auto start = steady_clock::now();
  std::atomic<int> late_answers{0};
  for (int i = 0; i < questions && seconds_since(start) < 30; ++i) {
    client.ask(question(i), [&](const Reply&) { late_answers += seconds_since(start) > 20; });
  }
  while (seconds_since(start) < 30) std::this_thread::sleep_for(10ms);
  const ServerCounts counts = server.counts();
  const int answers = late_answers.load();
  client.cancel();
  const auto refused = counts.by_status.contains(429) ? counts.by_status.at(429) : 0;
  fmt::print("{{\"share_of_limit\": {:.3f}, \"refused_share\": {:.4f}}}\n", answers / 10.0 / limit,
             static_cast<double>(refused) / static_cast<double>(counts.requests));
}

void faults() {
  constexpr int kQuestions = 2000;
  ScriptedServer server(faulty(0.3, 2026, late(5ms)));
  ClientOptions options = at_most(256);
  options.pacing.max_retries = 10;
  options.pacing.first_backoff = 20ms;
  options.attempt_timeout = 5s;  // a reply that comes later counts as one that was asked for again
  ChatClient client({{.base_url = server.base_url()}}, options);
  std::atomic<int> answered{0}, typed{0};
  for (int i = 0; i < kQuestions; ++i) {
    client.ask(question(i),
               [&](const Reply& reply) { ++(reply.outcome == Outcome::kAnswered ? answered : typed); });
  }
  client.drain();
  fmt::print("{{\"asked\": {}, \"answered\": {}, \"typed\": {}, \"asked_after_reply\": {}}}\n", kQuestions,
             answered.load(), typed.load(), server.counts().asked_after_reply);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view subject = argc >= 2 ? argv[1] : "";
  if (subject == "rate") return rate(), 0;
  if (subject == "pictures") return pictures(), 0;
  if (subject == "memory") return memory(), 0;
  if (subject == "hidden_limit" && argc == 3) return hidden_limit(std::atof(argv[2])), 0;
  if (subject == "faults") return faults(), 0;
  fmt::print(stderr, "usage: measure_vlm rate|pictures|memory|hidden_limit LIMIT|faults\n");
  return 2;
}
