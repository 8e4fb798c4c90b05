// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/response.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "awry/base/json.h"
#include "awry/base/text.h"

namespace awry::inspectors::vlm {
namespace {

constexpr int kQuotedColumns = 300;

// The member, or null when this is no object or has no such member.
const Json& member(const Json& json, std::string_view name) {
  static const Json kNull;
  if (!json.is_object()) return kNull;
  const auto found = json.find(name);
  return found == json.end() ? kNull : *found;
}

std::string text_of(const Json& json) {
  return json.is_string() ? json.get<std::string>() : std::string();
}

long long count_of(const Json& json) {
  if (json.is_number_unsigned())
    return static_cast<long long>(std::min<std::uint64_t>(json.get<std::uint64_t>(), 1ULL << 60));
  if (json.is_number()) return static_cast<long long>(std::clamp(json.get<double>(), 0.0, 1e18));
  return 0;
}

// A string, or a list of parts of which the texts count.
std::string content_text(const Json& content) {
  if (!content.is_array()) return text_of(content);
  std::string text;
  for (const Json& part : content) text += part.is_string() ? text_of(part) : text_of(member(part, "text"));
  return text;
}

Usage read_usage(const Json& usage) {
  const auto either = [&](std::string_view a, std::string_view b) {
    return count_of(member(usage, a).is_null() ? member(usage, b) : member(usage, a));
  };
  Usage read{.input_tokens = either("prompt_tokens", "input_tokens"),
             .output_tokens = either("completion_tokens", "output_tokens")};
  if (const Json& cost = member(usage, "cost"); cost.is_number()) read.cost_usd = cost.get<double>();
  return read;
}

std::string one_line(std::string_view text) {
  std::string line = repair_utf8(text.substr(0, 4096));
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return shorten(trim(line), kQuotedColumns);
}

struct Complaint {
  std::string message, code;
  int status = 0;  // some gateways send 200 and put the status inside
};

// The many shapes of an error body: OpenAI, Ollama, vLLM, FastAPI.
Complaint read_complaint(const Json& body) {
  const Json& error = member(body, "error");
  const Json& holder = error.is_object() ? error : body;
  Complaint complaint;
  for (const Json* candidate :
       {&member(holder, "message"), &error, &member(body, "detail"), &member(body, "message")}) {
    if (complaint.message.empty()) complaint.message = text_of(*candidate);
  }
  const Json& code = member(holder, "code");
  if (code.is_number_integer()) complaint.status = code.get<int>();
  complaint.code = code.is_string() ? text_of(code) : text_of(member(holder, "type"));
  return complaint;
}

bool is_moderation(int status, const Complaint& complaint) {
  if (status != 400 && status != 403 && status != 451) return false;
  static constexpr std::array<std::string_view, 5> kMarks = {"content_filter", "content_policy", "moderation",
                                                             "flagged", "safety system"};
  return std::ranges::any_of(kMarks, [&](std::string_view mark) {
    return contains_ignoring_case(complaint.code, mark) || contains_ignoring_case(complaint.message, mark);
  });
}

std::string_view hint_for(int status) {
  switch (status) {
    case 301:
    case 302:
    case 307:
    case 308:
      return "The address has moved: correct the base URL.";
    case 401:
      return "Check the API key.";
    case 402:
      return "The account has no credit left.";
    case 403:
      return "The key may not use this model.";
    case 404:
      return "Check the model's name and the base URL.";
    case 413:
      return "Lower the limits on image size.";
    default:
      return "";
  }
}

Next next_after(int status, const Complaint& complaint) {
  const bool out_of_credit = complaint.code == "insufficient_quota" || status == 402;
  if (out_of_credit || status == 401 || status == 403 || status == 404 || status / 100 == 3) {
    return Next::kHopeless;
  }
  if (status == 429) return Next::kSlowDown;
  if (status == 408 || status == 409 || status == 425 || status >= 500) return Next::kRetry;
  return Next::kDone;
}

Reading no_reply(std::string error, Next next) {
  return {.reply = {.outcome = Outcome::kTransport, .error = std::move(error)}, .next = next};
}

Reading refused_by_status(int status, const Complaint& complaint, std::string_view raw_body) {
  std::string error = fmt::format("HTTP {}", status);
  const std::string said = one_line(complaint.message.empty() ? raw_body : complaint.message);
  if (!said.empty()) error += ": " + said;
  if (is_moderation(status, complaint)) {
    return {.reply = {
                .outcome = Outcome::kRefused, .finish_reason = "content_filter", .error = std::move(error)}};
  }
  if (const std::string_view hint = hint_for(status); !hint.empty()) error += fmt::format(" {}", hint);
  return no_reply(std::move(error), next_after(status, complaint));
}

Reading not_a_completion(const HttpResponse& response, std::string_view why) {
  const std::string_view type = find_header(response.headers, "content-type").value_or("no content type");
  std::string error = fmt::format("the endpoint sent no chat completion ({}; {})", why, one_line(type));
  const std::string start = shorten(one_line(response.body), 80);
  if (!start.empty()) error += ": " + start;
  return no_reply(std::move(error), Next::kRetry);
}

// Outcome and error from why the model stopped and what it said.
void judge_ending(Reply& reply, const Json& message) {
  const std::string refusal = text_of(member(message, "refusal"));
  const std::string& reason = reply.finish_reason;
  if (!refusal.empty() || reason == "content_filter" || reason == "refusal") {
    reply.outcome = Outcome::kRefused;
    reply.error = refusal.empty() ? "the endpoint's content filter stopped the reply" : one_line(refusal);
    if (reply.text.empty()) reply.text = refusal;
  } else if (reason == "length" || reason == "max_tokens") {
    reply.outcome = Outcome::kTruncated;
    reply.error = "the reply stopped at the token limit";
  } else if (trim(reply.text).empty()) {
    reply.outcome = Outcome::kUnparsable;
    reply.error = member(message, "tool_calls").is_array() && !member(message, "tool_calls").empty()
                      ? "the model called a tool instead of answering"
                      : "the reply is empty";
  }
}

Reading read_completion(const HttpResponse& response, const Json& body) {
  const Json& choices = member(body, "choices");
  if (!choices.is_array() || choices.empty()) return not_a_completion(response, "there are no choices");
  const Json& choice = choices.front();
  if (const Json& error = member(choice, "error"); error.is_object()) {
    return no_reply("the endpoint broke off: " + one_line(text_of(member(error, "message"))), Next::kRetry);
  }
  const Json& message = member(choice, "message");
  if (!message.is_object()) return not_a_completion(response, "the choice has no message");

  Reading reading;
  Reply& reply = reading.reply;
  reply.text = content_text(member(message, "content"));
  reply.returned_model = text_of(member(body, "model"));
  reply.fingerprint = text_of(member(body, "system_fingerprint"));
  reply.finish_reason = text_of(member(choice, "finish_reason"));
  reply.usage = read_usage(member(body, "usage"));
  for (const std::string_view name : {"reasoning_content", "reasoning"}) {
    const Json& thoughts = member(message, name);
    if (thoughts.is_string() && !thoughts.empty()) {
      reply.unknown.raw.emplace_back("reasoning", dump_json(thoughts));
      break;
    }
  }
  judge_ending(reply, message);
  return reading;
}

Reading after_fault(const HttpResponse& response) {
  const bool may_help = response.fault == Fault::kConnection || response.fault == Fault::kTimeout;
  return no_reply(response.why, may_help ? Next::kRetry : Next::kDone);
}

}  // namespace

Reading read_response(const HttpResponse& response) {
  if (response.fault != Fault::kNone) return after_fault(response);
  const Result<Json> body = parse_json(response.body, "reply");
  const Complaint complaint = body ? read_complaint(*body) : Complaint{};
  if (response.status / 100 != 2) return refused_by_status(response.status, complaint, response.body);
  if (!body) return not_a_completion(response, body.error().why);
  if (!member(*body, "choices").is_array() && !member(*body, "error").is_null()) {
    const int status = complaint.status >= 400 && complaint.status < 600 ? complaint.status : 500;
    return refused_by_status(status, complaint, response.body);
  }
  return read_completion(response, *body);
}

}  // namespace awry::inspectors::vlm
