// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/testing/scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
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

ScriptedReply answer_protocols(const ReceivedRequest& request) {
  struct Rule {
    std::string_view asked, answer;
  };
  static constexpr Rule kRules[] = {
      {"RESPONSE:", "Yes, both mean the same."},
      {"Begin your answer with True", "True, the reason is the same."},
      {"says only Yes or No", "It is so.\nYes"},
      {"<CHOICES>", "<CHOICES>F</CHOICES>"},
      {"<PARTS>", "<CHOICE>C</CHOICE>\n<PARTS>none</PARTS>\n<SENTENCES></SENTENCES>"},
      {"<CHOICE>", "<CHOICE>D</CHOICE>\n<MASK></MASK>\n<EXPLANATION>clean</EXPLANATION>"},
      {"Whether Normal", "<think>Nothing is wrong.</think>\n\\boxed{{\"Whether Normal\": true}}"},
      {"Severity Score",
       "@1. Name: cup\nObserved Phenomenon: it floats\nReasoning: gravity\nSeverity Score: 10/100"},
      {"<VERDICT>", "<VERDICT>generated</VERDICT>"},
      {"cultural_alignment",
       "{\"cultural_alignment\": \"yes\", \"context\": \"a town\", \"justification\": \"a custom\"}"},
      {"anomaly_description_1", "{\"anomaly_description_1\": \"a clock runs backwards\"}"},
      {"explanation", "{\"explanation\": \"clocks run forwards\"}"},
  };
  constexpr std::string_view kKeep = "Keep the words '";
  // Of what was asked last: earlier turns stand further up in the body.
  const std::size_t last_turn = request.body.rfind("\"role\":\"user\"");
  const std::string_view asked =
      std::string_view(request.body).substr(std::min(last_turn, request.body.size()));
  if (const std::size_t at = asked.find(kKeep); at != std::string_view::npos) {
    const std::string_view subject = asked.substr(at + kKeep.size());
    return completion(
        fmt::format("\"A photograph of {} in soft light.\"", subject.substr(0, subject.find("' exactly"))));
  }
  const auto* chosen = std::ranges::find_if(
      kRules, [&](const Rule& rule) { return asked.find(rule.asked) != std::string_view::npos; });
  return completion(chosen == std::end(kRules) ? "I do not know what is asked." : chosen->answer);
}

Script pictures(bool by_address) {
  // One grey pixel.
  static constexpr std::string_view kPng =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==";
  static constexpr unsigned char kBytes[] = {
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00,
      0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00,
      0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x68, 0x00, 0x00, 0x00, 0x82, 0x00, 0x81,
      0xda, 0x45, 0x08, 0x3b, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
  return [by_address](const ReceivedRequest& request) -> ScriptedReply {
    if (request.path.find("/picture.png") != std::string::npos) {
      return {.body = std::string(reinterpret_cast<const char*>(kBytes), sizeof kBytes),
              .content_type = "image/png"};
    }
    Json picture = {{"revised_prompt", "a grey pixel"}};
    if (by_address) {
      picture["url"] = "http://" + request.headers.at("host") + "/files/picture.png?signature=x";
    } else {
      picture["b64_json"] = kPng;
    }
    const Json body = {{"created", 1}, {"data", Json::array({picture})}};
    return {.body = dump_json(body), .counts_as_reply = true};
  };
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
