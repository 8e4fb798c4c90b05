// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/transfer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <mutex>

#include "awry/inspectors/vlm/testing/scripted_server.h"
#include "awry/inspectors/vlm/testing/scripts.h"

namespace awry::inspectors::vlm {
namespace {

using namespace std::chrono_literals;
using testing::Ending;
using testing::ReceivedRequest;
using testing::ScriptedReply;
using testing::ScriptedServer;

HttpRequest request_to(const std::string& url, std::string body = "{}",
                       std::chrono::milliseconds timeout = 60s) {
  return {.url = url, .body = std::make_shared<const std::string>(std::move(body)), .timeout = timeout};
}

HttpResponse exchange(TransferQueue& queue, HttpRequest request) {
  std::promise<HttpResponse> promise;
  queue.submit(std::move(request), [&](HttpResponse response) { promise.set_value(std::move(response)); });
  return promise.get_future().get();
}

TEST(Transfer, CarriesBodyAndHeadersBothWays) {
  ScriptedServer server([](const ReceivedRequest& request) -> ScriptedReply {
    return {.status = 418,
            .body = request.path + "|" + request.headers.at("x-mine") + "|" + request.body,
            .headers = {{"X-Yours", "tea"}}};
  });
  const auto queue = make_curl_queue();
  HttpRequest request = request_to(server.base_url() + "/chat/completions", std::string(3'000'000, 'b'));
  request.headers = {{"X-Mine", "coffee"}};
  const HttpResponse response = exchange(*queue, std::move(request));
  EXPECT_EQ(response.fault, Fault::kNone) << response.why;
  EXPECT_EQ(response.status, 418);
  EXPECT_EQ(find_header(response.headers, "x-yours"), "tea");
  EXPECT_EQ(response.body, "/v1/chat/completions|coffee|" + std::string(3'000'000, 'b'));
  EXPECT_GT(response.elapsed.count(), 0);
}

TEST(Transfer, KeepsConnectionsAndManyInFlight) {
  ScriptedServer server(
      [](const ReceivedRequest&) -> ScriptedReply { return {.body = "ok", .latency = 500ms}; });
  const auto queue = make_curl_queue();
  for (int round = 0; round < 2; ++round) {
    std::atomic<int> left = 300;
    std::promise<void> all;
    for (int i = 0; i < 300; ++i) {
      queue->submit(request_to(server.base_url()), [&](const HttpResponse& response) {
        EXPECT_EQ(response.body, "ok");
        if (--left == 0) all.set_value();
      });
    }
    all.get_future().get();
  }
  EXPECT_EQ(server.counts().requests, 600u);
  EXPECT_LE(server.counts().connections, 300u);
  EXPECT_GT(server.counts().peak_in_flight, 200u);
}

TEST(Transfer, TypesEveryWayToFail) {
  ScriptedServer server([](const ReceivedRequest& request) -> ScriptedReply {
    if (request.path.ends_with("/drop")) return {.ending = Ending::kDrop};
    if (request.path.ends_with("/mid")) return {.body = std::string(1000, 'x'), .ending = Ending::kDropMid};
    if (request.path.ends_with("/large")) return {.body = std::string(200'000, 'x')};
    return {.ending = Ending::kStall};
  });
  const auto queue = make_curl_queue({.max_response_bytes = 100'000});
  const auto fault_of = [&](const std::string& url, std::chrono::milliseconds timeout = 60s) {
    const HttpResponse response = exchange(*queue, request_to(url, "{}", timeout));
    EXPECT_FALSE(response.why.empty());
    return response.fault;
  };
  EXPECT_EQ(fault_of(server.base_url() + "/drop"), Fault::kConnection);
  EXPECT_EQ(fault_of(server.base_url() + "/mid"), Fault::kConnection);
  EXPECT_EQ(fault_of(server.base_url() + "/large"), Fault::kTooLarge);
  EXPECT_EQ(fault_of(server.base_url() + "/stall", 50ms), Fault::kTimeout);
  EXPECT_EQ(fault_of("http://127.0.0.1:1/v1"), Fault::kConnection);
  EXPECT_EQ(fault_of("file:///etc/passwd"), Fault::kBadUrl);
  EXPECT_EQ(fault_of("http://bad host/"), Fault::kBadUrl);
}

TEST(Transfer, DoesNotFollowRedirects) {
  ScriptedServer server([](const ReceivedRequest&) -> ScriptedReply {
    return {.status = 302, .headers = {{"Location", "http://127.0.0.1:1/elsewhere"}}};
  });
  EXPECT_EQ(exchange(*make_curl_queue(), request_to(server.base_url())).status, 302);
}

TEST(Transfer, CancelsWhatIsInFlightAndGoesOn) {
  ScriptedServer server([](const ReceivedRequest& request) -> ScriptedReply {
    return {.body = "ok", .ending = request.path.ends_with("/stall") ? Ending::kStall : Ending::kWhole};
  });
  const auto queue = make_curl_queue();
  std::promise<HttpResponse> stalled;
  queue->submit(request_to(server.base_url() + "/stall"),
                [&](HttpResponse response) { stalled.set_value(std::move(response)); });
  queue->cancel_all();
  EXPECT_EQ(stalled.get_future().get().fault, Fault::kCancelled);
  EXPECT_EQ(exchange(*queue, request_to(server.base_url())).body, "ok");
}

TEST(Transfer, MayBeDestroyedInTheMiddle) {
  ScriptedServer server([](const ReceivedRequest&) -> ScriptedReply { return {.ending = Ending::kStall}; });
  const auto queue = make_curl_queue();
  for (int i = 0; i < 20; ++i) queue->submit(request_to(server.base_url()), [](const HttpResponse&) {});
  while (server.counts().requests < 5) std::this_thread::sleep_for(1ms);
}

TEST(Transfer, CallsTasksInTheOrderOfTheirTimes) {
  const auto queue = make_curl_queue();
  std::mutex mutex;
  std::string order;
  std::promise<void> all;
  const auto note = [&](char mark) {
    return [&, mark] {
      const std::lock_guard lock(mutex);
      order += mark;
      if (order.size() == 3) all.set_value();
    };
  };
  const auto now = Clock::now();
  queue->call_at(now + 40ms, note('c'));
  queue->call_at(now + 10ms, note('a'));
  queue->call_at(now + 20ms, note('b'));
  all.get_future().get();
  EXPECT_GE(Clock::now(), now + 40ms);
  EXPECT_EQ(order, "abc");
}

}  // namespace
}  // namespace awry::inspectors::vlm
