// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/replies_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/files.h"

namespace awry::benchmarks {
namespace {

using ::testing::HasSubstr;

// A protocol of echoes: a sample has as many questions as its attribute says, and any reply is its answer.
Result<std::vector<Question>> ask(const Sample& sample, const ProtocolOptions&) {
  std::vector<Question> questions = {{.id = sample.id + "/first", .sample_id = sample.id}};
  if (sample.attributes.contains("twice")) {
    questions.push_back({.id = sample.id + "/second", .sample_id = sample.id});
  }
  return questions;
}
Answer parse(const Sample&, const Question& question, const Reply& reply) {
  return {.question_id = question.id, .text = reply.text};
}
const Protocol kEcho = {.name = "echo", .ask = ask, .parse = parse};

class JoinedReplies : public ::testing::Test {
 protected:
  Result<std::vector<AnsweredSample>> read(std::string_view content) {
    const auto path = folder_.path() / "replies.jsonl";
    value_or_throw(write_file(path, content));
    return read_replies_file(kEcho, path, {{.id = "1"}, {.id = "2", .attributes = {{"twice", ""}}}}, {});
  }
  TemporaryFolder folder_;
};

TEST_F(JoinedReplies, JoinsByQuestionOrByTheSampleWhereItHasOnlyOne) {
  const auto answered =
      value_or_throw(read("{\"id\": \"2/second\", \"reply\": \"b\"}\n\n"
                          "{\"id\": \"1\", \"reply\": \"a\"}\r\n"));
  EXPECT_EQ(answered[0].answers[0].text, "a");
  EXPECT_EQ(answered[1].answers[1].text, "b");
  EXPECT_EQ(answered[1].answers[0].outcome, Outcome::kTransport);  // it was never answered
}

TEST_F(JoinedReplies, ReadsTheLinesThatARunLeaves) {
  const auto answered = value_or_throw(
      read(R"({"schema":1,"id":"1","asked":[{"reply":{"question_id":"1/first","text":"a","key":"k"}}]})"));
  EXPECT_EQ(answered[0].answers[0].text, "a");
}

TEST_F(JoinedReplies, KeepsFailuresAsWhatTheyAre) {
  const auto answered = value_or_throw(read(
      R"({"id":"1","asked":[{"reply":{"question_id":"1/first","outcome":"refused","error":"no","key":"k"}}]})"));
  EXPECT_EQ(answered[0].answers[0].outcome, Outcome::kRefused);
}

TEST_F(JoinedReplies, NullIsAFailureNotAnAnswer) {
  const auto answered =
      value_or_throw(read("{\"id\": \"1\", \"reply\": null}\n"
                          "{\"id\": \"2/first\", \"outcome\": \"refused\", \"error\": \"I will not\"}\n"
                          "{\"id\": \"2/second\", \"response\": null, \"outcome\": \"truncated\"}"));
  EXPECT_EQ(answered[0].answers[0].outcome, Outcome::kTransport);
  EXPECT_EQ(answered[1].answers[0].outcome, Outcome::kRefused);
  EXPECT_EQ(answered[1].answers[0].complaint, "I will not");
  EXPECT_EQ(answered[1].answers[1].outcome, Outcome::kTruncated);
  for (const std::string_view outcome : {"answered", "lost"}) {
    const auto odd = read(R"({"id": "1", "reply": null, "outcome": ")" + std::string(outcome) + "\"}");
    EXPECT_THAT(odd.error().message(), HasSubstr("no field 'reply'")) << outcome;
  }
}

TEST_F(JoinedReplies, NamesTheLineThatIsWrong) {
  const auto message = [&](std::string_view content) { return read(content).error().message(); };
  EXPECT_THAT(message("{\"id\": \"1\", \"reply\": \"a\"}\n{\"id\": \"1/first\", \"reply\": \"b\"}"),
              HasSubstr(":2': '1/first' was already answered in line 1"));
  EXPECT_THAT(message("{\"id\": \"3\", \"reply\": \"a\"}"), HasSubstr("no question is called '3'"));
  EXPECT_THAT(message("{\"id\": \"2\", \"reply\": \"a\"}"), HasSubstr("no question is called '2'"));
  EXPECT_THAT(message("{\"id\": 1.5, \"reply\": \"a\"}"), HasSubstr("no field 'id'"));
  EXPECT_THAT(message("{\"id\": \"1\"}"), HasSubstr("no field 'reply'"));
  EXPECT_THAT(message("{\"id\": \"1\", \"reply\": 7}"), HasSubstr("the reply is not a text"));
  EXPECT_THAT(message("[1]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(message("7"), HasSubstr("not a JSON object"));
  EXPECT_THAT(message("{\"id\": \"1\", \"rep"), HasSubstr("line 1"));
}

TEST_F(JoinedReplies, RepliesAboutSamplesThatWereLeftOutArePassedOver) {
  const auto path = folder_.path() / "replies.jsonl";
  value_or_throw(write_file(path, R"({"1": "a", "3": "b", "4/first": "c"})"));
  const std::vector<std::string> left_out = {"3", "4"};
  EXPECT_TRUE(read_replies_file(kEcho, path, {{.id = "1"}}, {}, left_out));
  value_or_throw(write_file(path, R"({"1": "a", "33": "b"})"));
  EXPECT_FALSE(read_replies_file(kEcho, path, {{.id = "1"}}, {}, left_out));
}

TEST_F(JoinedReplies, TakesTheFormsThatOthersWrite) {
  for (
      const std::string_view content :
      {R"({"1": "a", "2/first": "b"})", "\xEF\xBB\xBF{\"1\": \"a\", \"2/first\": \"b\"}",
       "{\n \"1\": \"a\",\n \"2/first\": \"b\"\n}\n",
       R"([{"id": "1", "reply": "a"}, {"question_id": "2/first", "response": "b", "model": "m"}])",
       "\n{\"question_id\": \"1\", \"answer\": \"a\"}\n{\"response\": \"b\", \"id\": \"2/first\"}",
       R"([{"1": "a"}, {"2/first": {"output": "b"}}])", "{\"1\": \"a\"}\n{\"2/first\": \"b\"}\n",
       R"({"1": {"prediction": "a", "model": "m"}, "2/first": {"id": "2/first", "content": "b"}})",
       R"({"model": "m", "predictions": [{"id": 1, "text": "a"}, {"qid": "2/first", "output": ["b"]}]})",
       R"([{"id": "1", "text": "what is it?", "answer": "a"}, {"id": "2/first", "answer": "x", "response": "b"}])",
       R"([{"id": "1", "reply": {"choices": [{"message": {"role": "assistant", "content": "a"}}]}},)"
       R"({"custom_id": "2/first", "error": null, "response": {"status_code": 200, "body":)"
       R"({"choices": [{"message": {"content": [{"type": "text", "text": "b"}]}}]}}}])"}) {
    const auto answered = value_or_throw(read(content));
    EXPECT_EQ(answered[0].answers[0].text, "a") << content;
    EXPECT_EQ(answered[1].answers[0].text, "b") << content;
    EXPECT_EQ(answered[1].answers[1].outcome, Outcome::kTransport) << content;
  }
}

TEST_F(JoinedReplies, KeepsAnswersInJsonAsTheirText) {
  const auto answered = value_or_throw(read(
      R"({"1": {"choice": "A", "mask": [1, 2]}, "2/first": ["x", "y"], "2/second": {"answer": "A", "Mask": []}})"));
  EXPECT_EQ(answered[0].answers[0].text, R"({"choice":"A","mask":[1,2]})");
  EXPECT_EQ(answered[1].answers[0].text, R"(["x","y"])");
  EXPECT_EQ(answered[1].answers[1].text, R"({"answer":"A","Mask":[]})");  // nothing of it may be lost
}

TEST_F(JoinedReplies, DoesNotChooseBetweenTwoFields) {
  EXPECT_THAT(read(R"({"id": "1", "prediction": "a", "answer": "b"})").error().message(),
              HasSubstr("'prediction' and 'answer' differ, and either could be the reply"));
  EXPECT_EQ(value_or_throw(read(R"({"id": "1", "prediction": "a", "answer": "a"})"))[0].answers[0].text, "a");
  EXPECT_THAT(read(R"({"1": {"id": "2", "reply": "a"}})").error().message(),
              HasSubstr("it stands under '1' but calls itself '2'"));
}

TEST_F(JoinedReplies, AReplyMaySayHowItEnded) {
  const Protocol kEnding = {
      .name = "ending", .ask = ask, .parse = [](const Sample&, const Question&, const Reply& reply) {
        return Answer{.text = reply.finish_reason};
      }};
  const auto path = folder_.path() / "replies.json";
  value_or_throw(write_file(path, R"([{"id": "1", "reply": "a", "finish_reason": "length"}])"));
  EXPECT_EQ(value_or_throw(read_replies_file(kEnding, path, {{.id = "1"}}, {}))[0].answers[0].text, "length");
}

TEST_F(JoinedReplies, AFolderMayHoldAFileForEachPartOrEachQuestion) {
  const auto answers = folder_.path() / "answers";
  value_or_throw(make_folder(answers));
  value_or_throw(write_file(answers / "1.txt", "a {\n"));
  value_or_throw(write_file(answers / "second.jsonl", "{\"id\": \"2/first\", \"reply\": \"b\"}"));
  value_or_throw(write_file(answers / "notes.md", "nothing"));
  const auto read_all = [&] {
    return read_replies_file(kEcho, answers, {{.id = "1"}, {.id = "2", .attributes = {{"twice", ""}}}}, {});
  };
  const auto answered = value_or_throw(read_all());
  EXPECT_EQ(answered[0].answers[0].text, "a {\n");
  EXPECT_EQ(answered[1].answers[0].text, "b");
  value_or_throw(write_file(answers / "third.json", "{\"1/first\": \"c\"}"));
  EXPECT_THAT(read_all().error().message(),
              HasSubstr("third.json, entry 1': '1/first' was already answered in entry 1 of"));
}

TEST_F(JoinedReplies, NamesTheEntryThatIsWrong) {
  const auto message = [&](std::string_view content) { return read(content).error().message(); };
  EXPECT_THAT(message(R"({"1": "a", "2/first": 3})"),
              HasSubstr("entry 2': the reply to '2/first' is not a text"));
  EXPECT_THAT(message(R"({"1": "a", "1": "b"})"), HasSubstr("'1' was already answered in entry 1"));
  EXPECT_THAT(message(R"([{"id": "1", "reply": "a"}, {"id": "1/first", "reply": "b"}])"),
              HasSubstr("entry 2': '1/first' was already answered in entry 1"));
  EXPECT_THAT(message(R"([{"id": "1", "reply": "a"}, {"id": "1"}])"), HasSubstr("no field 'reply'"));
  EXPECT_THAT(message(R"([{"id": "1", "reply": "a"})"), HasSubstr("replies.jsonl"));
}

TEST_F(JoinedReplies, AFileWithoutRepliesIsNoAnswer) {
  for (const std::string_view content : {"", "\n \n", "[]", "{}"}) {
    const auto answered = read(content);
    ASSERT_FALSE(answered) << content;
    EXPECT_THAT(answered.error().message(), HasSubstr("there is no reply in it"));
  }
}

TEST_F(JoinedReplies, TwoFieldsOfOneNameAreNotMistakenForIdAndReply) {
  EXPECT_THAT(read(R"({"id": "1", "question_id": "2/first"})").error().message(),
              HasSubstr("no field 'reply'"));
}

// Goes on as long as the last answer says "more".
Result<std::vector<Question>> ask_more(const AnsweredSample& answered, std::span<const Reply> replies,
                                       const ProtocolOptions&) {
  std::vector<Question> questions;
  if (replies.back().text == "more") {
    questions.push_back({.id = answered.questions.back().id + "+", .sample_id = answered.sample.id});
  }
  return questions;
}
const Protocol kTalkative = {.name = "talkative", .ask = ask, .follow_up = ask_more, .parse = parse};

TEST_F(JoinedReplies, FollowsAConversationAsFarAsTheFileGoes) {
  const auto path = folder_.path() / "replies.jsonl";
  const auto talk = [&](std::string_view content) {
    value_or_throw(write_file(path, content));
    return read_replies_file(kTalkative, path, {{.id = "1"}}, {});
  };
  const auto both = value_or_throw(
      talk("{\"id\": \"1/first+\", \"reply\": \"more\"}\n{\"id\": \"1\", \"reply\": \"more\"}"));
  ASSERT_EQ(both[0].questions.size(), 2u);  // a third would have been asked, but nobody did
  EXPECT_EQ(both[0].answers[1].question_id, "1/first+");
  EXPECT_THAT(talk("{\"id\": \"1\", \"reply\": \"enough\"}\n{\"id\": \"1/first+\", \"reply\": \"x\"}")
                  .error()
                  .message(),
              HasSubstr(":2': no question is called '1/first+'"));
}

}  // namespace
}  // namespace awry::benchmarks
