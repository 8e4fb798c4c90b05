// SPDX-License-Identifier: Apache-2.0
// scripted_server SCRIPT: a chat endpoint for whole-program tests. Prints its base URL on the first line and
// serves until its standard input is closed; then it prints what it counted as one line of JSON.
//
//   answer:TEXT    the same reply to everything      slow:MS:TEXT  the same, that many milliseconds late
//   faulty:TEXT    breaks three requests in ten      echo-key      refuses, and quotes the key it was given
//   protocols:MS   answers whatever a protocol asks, that many milliseconds late
//   images         makes pictures, as base64         image-urls    the same, as addresses
//   judge:TEXT     the same reply to everything, as another model
//
// With a second argument, a file, every request is noted there: {"path", "headers", "body": its hash}.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

#include "awry/base/hash.h"
#include "awry/base/json.h"
#include "awry/inspectors/vlm/testing/scripts.h"

namespace {

using namespace awry::inspectors::vlm::testing;

Script script_called(const std::string& name) {
  const std::size_t colon = name.find(':');
  const std::string kind = name.substr(0, colon);
  std::string text = colon == std::string::npos ? "" : name.substr(colon + 1);
  if (kind == "echo-key") {
    return [](const ReceivedRequest& request) -> ScriptedReply {
      const auto key = request.headers.find("authorization");
      const awry::Json body = {
          {"error", {{"message", "wrong key: " + (key == request.headers.end() ? "" : key->second)}}}};
      return {.status = 401, .body = awry::dump_json(body)};
    };
  }
  if (kind == "images" || kind == "image-urls") return pictures(kind == "image-urls");
  if (kind == "protocols") {
    return [late = std::chrono::milliseconds(std::atoi(text.c_str()))](const ReceivedRequest& request) {
      ScriptedReply reply = answer_protocols(request);
      reply.latency = late;
      return reply;
    };
  }
  if (kind == "judge") {
    return [text](const ReceivedRequest&) {
      ScriptedReply reply = completion(text);
      const std::size_t at = reply.body.find("scripted-2026");
      if (at != std::string::npos) reply.body.replace(at, 8, "othereye");
      return reply;
    };
  }
  std::chrono::milliseconds latency{0};
  if (kind == "slow") {
    latency = std::chrono::milliseconds(std::atoi(text.c_str()));
    text = text.substr(text.find(':') + 1);
  }
  Script answer = [text, latency](const ReceivedRequest&) {
    ScriptedReply reply = completion(text);
    reply.latency = latency;
    return reply;
  };
  if (kind == "faulty") return faulty(0.3, 7, std::move(answer));
  return answer;
}

Script noting(const char* file, Script inner) {
  auto notes = std::make_shared<std::ofstream>(file, std::ios::app);
  return [notes, inner = std::move(inner)](const ReceivedRequest& request) {
    const awry::Json note = {
        {"path", request.path}, {"headers", request.headers}, {"body", awry::sha256_hex(request.body)}};
    *notes << awry::dump_json(note) << std::endl;
    return inner(request);
  };
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fputs("usage: scripted_server SCRIPT [NOTES]\n", stderr);
    return 2;
  }
  Script script = script_called(argv[1]);
  if (argc == 3) script = noting(argv[2], std::move(script));
  const ScriptedServer server(std::move(script));
  std::printf("%s\n", server.base_url().c_str());
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  const ServerCounts counts = server.counts();
  std::printf("{\"requests\": %zu, \"asked_after_reply\": %zu}\n", counts.requests, counts.asked_after_reply);
}
