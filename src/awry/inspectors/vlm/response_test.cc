// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/response.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/json.h"

namespace awry::inspectors::vlm {
namespace {

using ::testing::HasSubstr;

Reading read(std::string body, int status = 200, std::string type = "application/json") {
  return read_response(
      {.status = status, .headers = {{"content-type", std::move(type)}}, .body = std::move(body)});
}

std::string completion(const std::string& message, const std::string& finish = "\"stop\"") {
  return R"({"model":"m-2026","system_fingerprint":"fp_1","choices":[{"index":0,"message":)" + message +
         R"(,"finish_reason":)" + finish + R"(}],"usage":{"prompt_tokens":12,"completion_tokens":3}})";
}

TEST(Response, OfACompletionIsTheAnswerWithItsParticulars) {
  const Reading reading = read(completion(R"({"role":"assistant","content":" B \n"})"));
  EXPECT_EQ(reading.next, Next::kDone);
  EXPECT_EQ(reading.reply.outcome, Outcome::kAnswered);
  EXPECT_EQ(reading.reply.text, " B \n");  // exactly as received
  EXPECT_EQ(reading.reply.returned_model, "m-2026");
  EXPECT_EQ(reading.reply.fingerprint, "fp_1");
  EXPECT_EQ(reading.reply.finish_reason, "stop");
  EXPECT_EQ(reading.reply.usage.input_tokens, 12);
  EXPECT_EQ(reading.reply.usage.output_tokens, 3);
  EXPECT_EQ(reading.reply.error, "");
}

TEST(Response, JoinsPartsAndKeepsReasoningApart) {
  const Reading reading = read(completion(
      R"({"content":[{"type":"text","text":"A"},{"type":"text","text":"B"}],"reasoning_content":"hm \"so\""})"));
  EXPECT_EQ(reading.reply.text, "AB");
  ASSERT_EQ(reading.reply.unknown.raw.size(), 1u);
  EXPECT_EQ(reading.reply.unknown.raw[0].first, "reasoning");
  EXPECT_EQ(*parse_json(reading.reply.unknown.raw[0].second, "r"), "hm \"so\"");
}

TEST(Response, IsTypedByHowTheModelStopped) {
  struct Case {
    std::string message, finish;
    Outcome outcome;
  };
  const Case cases[] = {
      {R"({"content":"The first")", "\"length\"", Outcome::kTruncated},
      {R"({"content":null)", "\"length\"", Outcome::kTruncated},
      {R"({"content":"x")", "\"max_tokens\"", Outcome::kTruncated},
      {R"({"content":"")", "\"content_filter\"", Outcome::kRefused},
      {R"({"content":null,"refusal":"I cannot help with that.")", "\"stop\"", Outcome::kRefused},
      {R"({"content":"fine","refusal":null)", "\"stop\"", Outcome::kAnswered},
      {R"({"content":"fine")", "null", Outcome::kAnswered},
      {R"({"content":"")", "\"stop\"", Outcome::kUnparsable},
      {R"({"content":" \n")", "\"stop\"", Outcome::kUnparsable},
      {R"({"content":null,"tool_calls":[{"id":"1"}])", "\"tool_calls\"", Outcome::kUnparsable},
      {R"({"content":7)", "\"stop\"", Outcome::kUnparsable},
  };
  for (const Case& item : cases) {
    const Reading reading = read(completion(item.message + "}", item.finish));
    EXPECT_EQ(reading.reply.outcome, item.outcome) << item.message;
    EXPECT_EQ(reading.next, Next::kDone) << item.message;
    EXPECT_EQ(reading.reply.error.empty(), item.outcome == Outcome::kAnswered) << item.message;
  }
}

TEST(Response, TrustsTheBodyRatherThanItsType) {
  EXPECT_EQ(read(completion(R"({"content":"A"})"), 200, "text/plain").reply.outcome, Outcome::kAnswered);
}

TEST(Response, ThatIsNoCompletionIsNoReply) {
  const std::string whole = completion(R"({"content":"A"})");
  std::vector<std::string> bodies = {"",
                                     " ",
                                     "null",
                                     "[]",
                                     "{}",
                                     "7",
                                     "\"text\"",
                                     "<html>Bad gateway</html>",
                                     "data: {\"choices\":[]}\n\n",
                                     R"({"choices":[]})",
                                     R"({"choices":[7]})",
                                     R"({"choices":{}})",
                                     R"({"choices":[{"message":"A"}]})",
                                     "\xff\xfe\x00garbage",
                                     std::string(100'000, '[')};
  for (std::size_t cut = 1; cut < whole.size(); cut += 7) bodies.push_back(whole.substr(0, cut));
  for (const std::string& body : bodies) {
    const Reading reading = read(body, 200, "text/html");
    EXPECT_EQ(reading.reply.outcome, Outcome::kTransport) << body.substr(0, 60);
    EXPECT_EQ(reading.next, Next::kRetry) << body.substr(0, 60);
    EXPECT_THAT(reading.reply.error, HasSubstr("text/html"));
    EXPECT_LT(reading.reply.error.size(), 600u);
  }
}

TEST(Response, StatusDecidesWhatToDoNext) {
  const std::pair<int, Next> cases[] = {
      {302, Next::kHopeless}, {400, Next::kDone},     {401, Next::kHopeless}, {402, Next::kHopeless},
      {403, Next::kHopeless}, {404, Next::kHopeless}, {408, Next::kRetry},    {413, Next::kDone},
      {422, Next::kDone},     {429, Next::kSlowDown}, {500, Next::kRetry},    {502, Next::kRetry},
      {503, Next::kRetry},    {529, Next::kRetry}};
  for (const auto& [status, next] : cases) {
    const Reading reading = read(R"({"error":{"message":"because","code":"x"}})", status);
    EXPECT_EQ(reading.next, next) << status;
    EXPECT_EQ(reading.reply.outcome, Outcome::kTransport) << status;
    EXPECT_THAT(reading.reply.error, HasSubstr("because"));
    EXPECT_THAT(reading.reply.error, HasSubstr(std::to_string(status)));
  }
}

TEST(Response, WithoutCreditIsNotWorthWaiting) {
  EXPECT_EQ(read(R"({"error":{"message":"You exceeded your quota","code":"insufficient_quota"}})", 429).next,
            Next::kHopeless);
}

TEST(Response, OfModerationIsARefusal) {
  for (const char* body : {R"({"error":{"code":"content_filter","message":"no"}})",
                           R"({"error":{"code":400,"message":"Your input was flagged"}})"}) {
    const Reading reading = read(body, 400);
    EXPECT_EQ(reading.reply.outcome, Outcome::kRefused) << body;
    EXPECT_EQ(reading.next, Next::kDone);
  }
}

TEST(Response, FindsTheMessageInEveryShapeOfError) {
  for (const char* body :
       {R"({"error":"because"})", R"({"error":{"message":"because"}})",
        R"({"object":"error","message":"because","code":500})", R"({"detail":"because"})", "because"}) {
    EXPECT_THAT(read(body, 500).reply.error, HasSubstr("HTTP 500: because")) << body;
  }
}

TEST(Response, HasItsErrorsTakenSeriouslyInsideA200) {
  EXPECT_EQ(read(R"({"error":{"message":"slow down","code":429}})").next, Next::kSlowDown);
  EXPECT_EQ(read(R"({"error":{"message":"boom","code":"x"}})").next, Next::kRetry);
  EXPECT_EQ(read(R"({"choices":[{"error":{"message":"upstream"},"message":{"content":"A"}}]})").next,
            Next::kRetry);
}

TEST(Response, ThatNeverCameIsTriedAgainUnlessThatIsInVain) {
  const std::pair<Fault, Next> cases[] = {{Fault::kConnection, Next::kRetry},
                                          {Fault::kTimeout, Next::kRetry},
                                          {Fault::kTooLarge, Next::kDone},
                                          {Fault::kBadUrl, Next::kDone}};
  for (const auto& [fault, next] : cases) {
    const Reading reading = read_response({.fault = fault, .why = "the cable is out"});
    EXPECT_EQ(reading.next, next);
    EXPECT_EQ(reading.reply.outcome, Outcome::kTransport);
    EXPECT_EQ(reading.reply.error, "the cable is out");
  }
}

TEST(Response, CountsOddUsageAsNothing) {
  const auto usage_of = [](const std::string& usage) {
    return read(R"({"choices":[{"message":{"content":"A"}}],"usage":)" + usage + "}").reply.usage;
  };
  EXPECT_EQ(usage_of("null"), Usage{});
  EXPECT_EQ(usage_of(R"({"prompt_tokens":"many","completion_tokens":-4})"), Usage{});
  EXPECT_EQ(usage_of(R"({"input_tokens":5,"output_tokens":6.0,"cost":0.25})"), (Usage{5, 6, 0.25}));
}

}  // namespace
}  // namespace awry::inspectors::vlm
