// SPDX-License-Identifier: Apache-2.0
// What is asked, and what is made of the replies: of the model and of its judge.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "awry/base/files.h"
#include "awry/benchmarks/cave/cave.h"
#include "awry/benchmarks/cave/judging.h"

namespace awry::benchmarks::cave {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Sample sample_of_two() {
  Sample sample{.id = "s", .images = {{.path = "s.png", .width = 200, .height = 100}}, .has_truth = true};
  sample.truth = {{.id = "s/truth/1", .phenomenon = "a {odd} hat", .reasoning = "hats {x}"},
                  {.id = "s/truth/2", .phenomenon = "a third shoe"}};
  return sample;
}

Answer reply_to(std::string_view kind, std::string text, std::string prompt = "vanilla",
                std::string finish = "") {
  Question question{.id = "q", .kind = std::string(kind)};
  question.attributes[kPromptAttribute] = std::move(prompt);
  return parse(sample_of_two(), question, {.text = std::move(text), .finish_reason = std::move(finish)});
}

std::vector<std::string> described(const std::string& text, const std::string& prompt = "vanilla") {
  const Answer answer = reply_to(kDescribe, text, prompt);
  if (answer.outcome != Outcome::kAnswered) return {"<" + std::string(name_of(answer.outcome)) + ">"};
  std::vector<std::string> texts;
  for (const Finding& finding : answer.findings) texts.push_back(finding.phenomenon);
  return texts;
}

TEST(CaveAnswers, DescriptionsComeInManyForms) {
  EXPECT_THAT(described(R"({"anomaly_description_1": "a", "anomaly_description_2": "b"})"),
              ElementsAre("a", "b"));
  EXPECT_THAT(described("Here:\n```json\n{\"anomaly_description_1\": [\"a\"],}\n```"), ElementsAre("a"));
  EXPECT_THAT(described(R"({'anomaly_description_1': 'a'})"), ElementsAre("a"));
  EXPECT_THAT(described(R"(["a", "b"])"), ElementsAre("a", "b"));
  EXPECT_THAT(described(R"({"anomalies": [{"description": "a", "box": [1, 2]}, {"description": "b"}]})"),
              ElementsAre("a", "b"));
  EXPECT_THAT(described(R"({"anomaly_description_1": "a"} {"anomaly_description_2": "b"})"),
              ElementsAre("a", "b"));
  EXPECT_THAT(described(R"({"anomaly_description_1": "a", "anomaly_description_1": "b"})"),
              ElementsAre("a", "b"));
  EXPECT_THAT(described("1. a\n2. **b**"), ElementsAre("a", "b"));
  EXPECT_THAT(described("* a\n* b"), ElementsAre("a", "b"));
  EXPECT_THAT(described("<think>{\"anomaly_description_1\": \"x\"}</think>{}"), IsEmpty());
}

TEST(CaveAnswers, NothingOddHasManyFormsToo) {
  for (const char* text :
       {"{}", "```json\n{}\n```", "[]", "None", "There are no visible anomalies in the image.",
        R"({"anomaly_description_1": "No anomalies are visible."})"}) {
    EXPECT_THAT(described(text), IsEmpty()) << text;
  }
}

TEST(CaveAnswers, WhatCannotBeReadIsNotGuessed) {
  EXPECT_THAT(described(""), ElementsAre("<unparsable>"));
  EXPECT_THAT(described("I am not sure about this picture."), ElementsAre("<unparsable>"));
  EXPECT_THAT(described(R"({"anomaly_description_1": 7})"), ElementsAre("<unparsable>"));
  EXPECT_THAT(described(R"({"score": "high"})"), ElementsAre("<unparsable>"));
  EXPECT_EQ(reply_to(kDescribe, R"({"anomaly_description_1": "a chai)", "vanilla", "length").outcome,
            Outcome::kTruncated);
  EXPECT_EQ(reply_to("xy", "{}").outcome, Outcome::kUnparsable);
}

TEST(CaveAnswers, StepsAreNotTakenForAnomalies) {
  const std::string steps = "1. **Planning**: look.\n2. **Image Contents**: a dog.\n";
  EXPECT_THAT(described(steps, "multi-step"), ElementsAre("<unparsable>"));
  EXPECT_THAT(described(steps + "4. **Final Answer**: {\"anomaly_description_1\": \"a\"}", "multi-step"),
              ElementsAre("a"));
  EXPECT_THAT(described(steps + "**Final Answer**:\n- a\n- b", "cot"), ElementsAre("a", "b"));
}

TEST(CaveAnswers, BoxesComeInAnyFrame) {
  const Box wanted{20, 10, 80, 40};
  for (const char* text : {R"({"box": {"x1": 20, "y1": 10, "x2": 100, "y2": 50}})",
                           R"({"box": ["x1": 20, "y1": 10, "x2": 100, "y2": 50]})", "[0.1, 0.1, 0.5, 0.5]",
                           "The box is [20, 10, 100, 50]."}) {
    const Answer answer = reply_to(kLocate, text);
    ASSERT_EQ(answer.outcome, Outcome::kAnswered) << text << answer.complaint;
    const Box box = std::get<Box>(answer.findings[0].where);
    EXPECT_NEAR(box.x, wanted.x, 1e-9);
    EXPECT_NEAR(box.y, wanted.y, 1e-9);
    EXPECT_NEAR(box.width, wanted.width, 1e-9);
    EXPECT_NEAR(box.height, wanted.height, 1e-9);
  }
  EXPECT_EQ(reply_to(kLocate, "in the corner").outcome, Outcome::kUnparsable);
}

TEST(CaveAnswers, TextsAndRatings) {
  EXPECT_EQ(reply_to(kExplain, R"({"explanation": "because"})").text, "because");
  EXPECT_EQ(reply_to(kExplain, R"({"Explanation": ["because"]})").text, "because");
  EXPECT_EQ(reply_to(kJustify, "It fell.").text, "It fell.");
  EXPECT_EQ(reply_to(kJustify, R"({"explanation": "because"})").outcome, Outcome::kUnparsable);
  EXPECT_EQ(reply_to("severity", R"({"severity": 4})").values.at("severity"), 4);
  EXPECT_EQ(reply_to("surprisal", "{\"surprisal\": \"2 (Relatively Common)\"}").values.at("surprisal"), 2);
  EXPECT_EQ(reply_to("complexity", "3/5").values.at("complexity"), 3);
  EXPECT_EQ(reply_to("severity", R"({"severity": 9})").outcome, Outcome::kUnparsable);
  EXPECT_EQ(reply_to("severity", R"({"surprisal": 3})").outcome, Outcome::kUnparsable);
}

TEST(CaveQuestions, AreOnePerImageAndOnePerAnomalyAndTask) {
  const auto questions = ask(sample_of_two(), {}).value();
  ASSERT_EQ(questions.size(), 1u + 6u * 2u);
  EXPECT_EQ(questions[0].id, "s/ad");
  EXPECT_THAT(questions[0].prompt, HasSubstr("anomaly_description_1"));
  EXPECT_THAT(questions[0].prompt, HasSubstr("\n{}\n"));
  const auto place =
      std::find_if(questions.begin(), questions.end(), [](const Question& q) { return q.kind == kLocate; });
  EXPECT_EQ(place->id, "s/1/al");
  EXPECT_THAT(place->prompt, HasSubstr("a {odd} hat"));
  EXPECT_THAT(place->prompt, HasSubstr("200 x 100 pixels"));
  EXPECT_EQ(ask(sample_of_two(), {{"tasks", "ad,ratings"}}).value().size(), 1u + 3u * 2u);
  EXPECT_THAT(ask(sample_of_two(), {{"prompt", "multi-step"}}).value()[0].prompt, HasSubstr("Planning"));
}

TEST(CaveQuestions, SelfConsistencyAsksThreeTimes) {
  const ProtocolOptions options = {{"prompt", "consistency"}, {"tasks", "ad"}};
  const auto drafts = ask(sample_of_two(), options).value();
  ASSERT_EQ(drafts.size(), 3u);
  EXPECT_EQ(drafts[2].repeat, 2);
  EXPECT_EQ(drafts[2].attributes.at("temperature"), "0.5");
}

TEST(CaveQuestions, TheUsersWordingReplacesOurs) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "ae.txt", "Why? {description} {\"a\": {}}"));
  const ProtocolOptions own = {{"prompts", folder.path().string()}, {"tasks", "ae"}};
  EXPECT_EQ(ask(sample_of_two(), own).value()[0].prompt, "Why? a {odd} hat {\"a\": {}}");
  ASSERT_TRUE(write_file(folder.path() / "ae.txt", "{nonsense}"));
  EXPECT_THAT(ask(sample_of_two(), own).error().message(), HasSubstr("{nonsense}"));
}

TEST(CaveJudge, ComparesEveryPairAndReadsTheFirstWord) {
  AnsweredSample answered{.sample = sample_of_two()};
  answered.questions = {{.id = "s/ad", .kind = "ad"}, {.id = "s/1/ae", .kind = "ae"}};
  answered.questions[1].attributes[kAnomalyAttribute] = "1";
  answered.answers = {{.findings = {{.id = "s/ad/1", .phenomenon = "hat"}}},
                      {.findings = {{.id = "s/1/ae/1", .reasoning = "heads"}}}};
  const auto questions = ask_judge(answered, {}).value();
  ASSERT_EQ(questions.size(), 3u);
  EXPECT_THAT(questions[1].prompt, HasSubstr("a third shoe"));
  EXPECT_THAT(questions[2].prompt, HasSubstr("hats {x}"));

  std::vector<Judgement> judgements = {read_judgement(questions[0], {.text = "**Yes**, both mean the hat."}),
                                       read_judgement(questions[1], {.text = "No. A shoe is no hat."}),
                                       read_judgement(questions[2], {.text = "Hard to say."})};
  EXPECT_EQ(judgements[0].value, 1);
  EXPECT_EQ(judgements[1].value, 0);
  EXPECT_EQ(judgements[2].value, std::nullopt);
  std::vector<AnsweredSample> samples = {answered};
  ASSERT_TRUE(write_judgements(judgements, samples));
  EXPECT_EQ(samples[0].answers[0].findings[0].evidence.size(), 2u);
  EXPECT_THAT(write_judgements(std::span(judgements).first(1), samples).error().message(),
              HasSubstr("already"));
  judgements[0].truth_id = "other/truth/1";
  EXPECT_THAT(write_judgements(std::span(judgements).first(1), samples).error().message(),
              HasSubstr("no true anomaly 'other/truth/1'"));
  judgements[0].finding_id = "s/ad/7";
  EXPECT_THAT(write_judgements(std::span(judgements).first(1), samples).error().message(),
              HasSubstr("s/ad/7"));
}

}  // namespace
}  // namespace awry::benchmarks::cave
