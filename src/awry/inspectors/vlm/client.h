// SPDX-License-Identifier: Apache-2.0
// Asks chat endpoints many questions at once and loses none of them.
//
// One question's way: make_chat_request reads its images on the caller's thread; ask() writes the body and
// queues it; the engine's thread sends it when an endpoint's Pacer allows, reads the response, and either
// asks again later (429, 5xx, broken connections, garbage: at most max_retries times) or calls back with a
// Reply whose outcome says how it ended. A question whose reply came is never sent again, with one
// exception: a reply cut off at the token limit is asked once more with the limit doubled.
//
// How the pipeline uses this: its worker threads read and encode pictures, and ask() holds them back while
// enough is waiting; callbacks put replies into an Inbox, from which one keeper thread stores whatever has
// gathered with one disk sync, so that the engine never waits for the disk. Replies for which
// was_cancelled() holds are not stored: nothing was asked, and resuming asks them again.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "awry/inspectors/vlm/endpoint.h"
#include "awry/inspectors/vlm/pacing.h"
#include "awry/inspectors/vlm/request.h"
#include "awry/inspectors/vlm/response.h"
#include "awry/inspectors/vlm/transfer.h"
#include "awry/records/asking.h"

namespace awry::inspectors::vlm {

struct ClientOptions {
  PacingOptions pacing;  // for each endpoint by itself
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds attempt_timeout{300'000};
  std::chrono::milliseconds total_timeout{1'800'000};  // from the first departure, waiting included
  bool double_limit_when_truncated = true;
  std::size_t max_open_bytes = 96u << 20;  // request bodies held at once: ask() waits above this
  std::size_t max_open_questions = 4096;   // likewise
  std::uint64_t seed = 0;                  // of the jitter
};

struct EndpointStats {
  std::string base_url;
  int in_flight = 0;
  double concurrency = 0;
  std::optional<double> rate;  // requests a second, once a limit has been met
  std::string set_aside;       // why it is no longer asked; empty: it is
};

struct ClientStats {
  std::size_t waiting = 0, in_flight = 0;  // questions; waiting includes those between two attempts
  std::size_t finished = 0;
  std::size_t sent = 0;  // requests, retries included
  std::size_t slowed_down = 0, stumbled = 0, doubled = 0;
  std::vector<EndpointStats> endpoints;
};

// Anything else that an endpoint answers: where it is asked, with what, and how the response is read.
struct PostRequest {
  std::string question_id;  // comes back in the Reply
  std::string model;
  std::string path;  // below the base URL: "/images/generations"
  ChatBody body;
  std::string content_type = "application/json";
  Reading (*read)(const HttpResponse&) = nullptr;
};

class ChatClient {
 public:
  // At least one endpoint; several share the load, each as much as it can carry.
  explicit ChatClient(std::vector<Endpoint> endpoints, const ClientOptions& options = {},
                      std::unique_ptr<TransferQueue> queue = make_curl_queue());
  // Cancels what is open; every callback has been called when this returns.
  ~ChatClient();
  ChatClient(const ChatClient&) = delete;
  ChatClient& operator=(const ChatClient&) = delete;

  // Any thread, callbacks included. `done` is called exactly once, on the engine's thread, and must be
  // quick. Waits while too much is open, except in callbacks. The reply's key and time are left to the
  // caller.
  void ask(const ChatRequest& request, std::function<void(Reply)> done);

  // The same for requests that are no chat; only the doubling of token limits does not apply.
  void post(PostRequest request, std::function<void(Reply)> done);

  // Returns when every question asked so far has been called back. Not from a callback.
  void drain();

  // Any thread. What has not left yet is called back as cancelled; what is in flight may still come back,
  // but is not retried. With cancel() it is given up too.
  void stop_asking();
  void cancel();

  ClientStats stats() const;  // any thread

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

// True for replies to questions that were given up because the user stopped the run.
bool was_cancelled(const Reply& reply);

}  // namespace awry::inspectors::vlm
