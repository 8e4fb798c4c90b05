// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/testing/scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "awry/base/json.h"
#include "awry/base/random.h"

namespace awry::inspectors::vlm::testing {

ScriptedReply completion(std::string_view text, std::string_view finish_reason) {
  const Json body = {{"id", "chatcmpl-1"},
                     {"object", "chat.completion"},
                     {"model", "scripted-2026-01-01"},
                     {"system_fingerprint", "fp_scripted"},
                     {"choices",
                      {{{"index", 0},
                        {"message", {{"role", "assistant"}, {"content", text}}},
                        {"finish_reason", finish_reason}}}},
                     {"usage", {{"prompt_tokens", 100}, {"completion_tokens", 7}, {"total_tokens", 107}}}};
  return {.body = dump_json(body), .counts_as_reply = true};
}

ScriptedReply refusal_429(std::string_view retry_after) {
  ScriptedReply reply{.status = 429,
                      .body = R"({"error":{"message":"Rate limit reached","type":"requests"}})"};
  if (!retry_after.empty()) reply.headers.emplace_back("Retry-After", retry_after);
  return reply;
}

ScriptedReply server_error(int status) {
  return {.status = status, .body = R"({"error":{"message":"The server had an error"}})"};
}

ScriptedReply answer_question(const ReceivedRequest& request) {
  return completion("answer to " + request.question);
}

Script limited_to(double requests_per_second, double burst, Script inner) {
  struct Bucket {
    double tokens;
    std::chrono::steady_clock::time_point at;
  };
  auto bucket = std::make_shared<Bucket>(burst, std::chrono::steady_clock::now());
  return [=, inner = std::move(inner)](const ReceivedRequest& request) -> ScriptedReply {
    const std::chrono::duration<double> passed = request.arrived - bucket->at;
    bucket->tokens = std::min(burst, bucket->tokens + passed.count() * requests_per_second);
    bucket->at = request.arrived;
    if (bucket->tokens < 1) return refusal_429();
    bucket->tokens -= 1;
    return inner(request);
  };
}

Script faulty(double share, std::uint64_t seed, Script inner) {
  return [=, inner = std::move(inner)](const ReceivedRequest& request) -> ScriptedReply {
    RandomStream random =
        RandomStream(seed).fork(request.question).fork(static_cast<std::uint64_t>(request.nth));
    ScriptedReply good = inner(request);
    if (!random.chance(share)) return good;
    good.counts_as_reply = false;
    switch (random.below(8)) {
      case 0:
        return refusal_429();
      case 1:
        return refusal_429("0.02");
      case 2:
        return server_error(random.chance(0.5) ? 500 : 503);
      case 3:
        good.ending = Ending::kDrop;
        return good;
      case 4:
        good.ending = Ending::kDropMid;
        return good;
      case 5:
        good.ending = Ending::kStall;
        return good;
      case 6:
        good.body.resize(good.body.size() / 2);
        return good;  // half JSON, but a whole response
      default:
        return {.body = "<html><body>Bad gateway</body></html>", .content_type = "text/html"};
    }
  };
}

}  // namespace awry::inspectors::vlm::testing
