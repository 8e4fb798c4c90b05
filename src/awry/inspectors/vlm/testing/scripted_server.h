// SPDX-License-Identifier: Apache-2.0
// A chat endpoint that does what a script says, over real HTTP/1.1 on the loopback interface: to answer
// late, refuse, break, stall or talk nonsense, and to remember who asked what how often.
//
// Questions are told apart by a mark in their prompt: "... [[q17]] ..." is question q17.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace awry::inspectors::vlm::testing {

enum class Ending {
  kWhole,    // the reply is sent and the connection stays open
  kDrop,     // the connection is closed instead of a reply
  kDropMid,  // the connection is closed in the middle of the body
  kStall,    // nothing is ever sent
};

struct ScriptedReply {
  int status = 200;
  std::string body;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  std::chrono::microseconds latency{0};
  Ending ending = Ending::kWhole;
  bool counts_as_reply = false;  // asking the same question after this one is a fault of the client
};

struct ReceivedRequest {
  std::string path;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  std::string question;  // the mark, or empty
  int nth = 1;           // how often this question has now been asked
  std::chrono::steady_clock::time_point arrived;
};

// Called on the server's thread, one request at a time.
using Script = std::function<ScriptedReply(const ReceivedRequest&)>;

struct ServerCounts {
  std::size_t requests = 0, bytes = 0;
  std::size_t asked_after_reply = 0;
  std::size_t peak_in_flight = 0, connections = 0;
  double held_seconds = 0;  // summed over requests: from the arrival of each until its reply was sent
  std::map<int, std::size_t> by_status;  // of whole replies
  std::map<std::string, int> per_question;
};

class ScriptedServer {
 public:
  explicit ScriptedServer(Script script, int port = 0);  // 0: any free one
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::string base_url() const;  // http://127.0.0.1:40123/v1
  ServerCounts counts() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace awry::inspectors::vlm::testing
