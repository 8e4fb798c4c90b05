// SPDX-License-Identifier: Apache-2.0
// Whole conversations with a model and a judge: ask, reply, parse, follow up, score.
#include "awry/benchmarks/conversation_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/files.h"
#include "awry/benchmarks/cave/cave.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/encode.h"

namespace awry::benchmarks::cave {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Sample hall() {
  return {.id = "hall",
          .images = {{.path = "hall.png", .width = 200, .height = 100}},
          .has_truth = true,
          .truth = {{.id = "hall/truth/1",
                     .type = "attribute",
                     .phenomenon = "a clock runs backwards",
                     .reasoning = "clocks run forwards"},
                    {.id = "hall/truth/2",
                     .type = "absence",
                     .phenomenon = "a door has no handle",
                     .reasoning = "doors need handles"}}};
}

constexpr const char* kTwo =
    R"({"anomaly_description_1": "the clock goes the wrong way", "anomaly_description_2": "a cat wears shoes"})";

// The judge finds the clock in both, and nothing else the same.
std::string judge(const Question& question) {
  const bool clock = question.prompt.find("REFERENCE: a clock") != std::string::npos &&
                     question.prompt.find("RESPONSE: the clock") != std::string::npos;
  return clock ? "Yes, both mean the clock." : "No.";
}

Summary scored(const AnsweredSample& answered, ProtocolOptions options) {
  options["resamples"] = "0";
  return value_or_throw(score(std::span(&answered, 1), options));
}

TEST(CaveConversation, AJudgeDecidesEveryPair) {
  const ProtocolOptions options = {{"tasks", "ad"}};
  const AnsweredSample answered = converse(kProtocol, hall(), options, [](const Question& question) {
    EXPECT_EQ(question.for_judge, question.kind == kJudgePair);
    return Reply{.text = question.for_judge ? judge(question) : kTwo, .model = "m", .returned_model = "m-1"};
  });
  ASSERT_EQ(answered.questions.size(), 1u + 4u);
  const Summary summary = scored(answered, options);
  EXPECT_DOUBLE_EQ(find_metric(summary, "ad", "f1")->value, 0.5);  // one of two claims, one of two truths
  EXPECT_THAT(find_metric(summary, "ad", "f1")->signature, HasSubstr("judge:m-1"));
  EXPECT_EQ(summary.outcomes.total(), 1u);
  EXPECT_EQ(summary.outcomes.of(Outcome::kAnswered), 1u);
}

TEST(CaveConversation, AJudgeThatFailsIsCountedAndNeverGuessed) {
  const ProtocolOptions options = {{"tasks", "ad"}};
  for (const Reply& useless :
       {Reply{.text = "Perhaps."}, Reply{.text = ""}, Reply{.outcome = Outcome::kTransport},
        Reply{.text = "Yesterday"}, Reply{.outcome = Outcome::kRefused}}) {
    const AnsweredSample answered = converse(kProtocol, hall(), options, [&](const Question& question) {
      if (!question.for_judge) return Reply{.text = kTwo};
      return question.prompt.find("REFERENCE: a door") == std::string::npos ? Reply{.text = judge(question)}
                                                                            : useless;
    });
    const Summary summary = scored(answered, options);
    EXPECT_EQ(summary.outcomes.of(Outcome::kJudgeFailed), 1u);
    const Metric* f1 = find_metric(summary, "ad", "f1");
    EXPECT_TRUE(f1 == nullptr || f1->missing.has_value());
  }
}

TEST(CaveConversation, WithoutAJudgeNothingIsGuessedEither) {
  const ProtocolOptions options = {{"tasks", "ad"}};
  const Sample sample = hall();
  const std::vector<Question> questions = ask(sample, options).value();
  const AnsweredSample answered{sample, questions, {parse(sample, questions[0], {.text = kTwo})}};
  EXPECT_EQ(scored(answered, options).outcomes.of(Outcome::kJudgeFailed), 1u);
}

TEST(CaveConversation, ExplanationsAreJudgedOneByOne) {
  const ProtocolOptions options = {{"tasks", "ae"}};
  const AnsweredSample answered = converse(kProtocol, hall(), options, [](const Question& question) {
    if (question.for_judge) {
      EXPECT_EQ(question.kind, kJudgeExplanation);
      return Reply{.text = question.prompt.find("clocks run forwards") != std::string::npos
                               ? "**True** indeed"
                               : "False"};
    }
    return Reply{.text = R"({"explanation": "time goes forwards"})"};
  });
  EXPECT_EQ(answered.questions.size(), 4u);
  EXPECT_DOUBLE_EQ(find_metric(scored(answered, options), "ae", "accuracy")->value, 0.5);
}

TEST(CaveConversation, SelfConsistencyMergesItsDrafts) {
  const ProtocolOptions options = {{"tasks", "ad"}, {"prompt", "consistency"}};
  const AnsweredSample answered = converse(kProtocol, hall(), options, [](const Question& question) {
    if (question.for_judge) return Reply{.text = judge(question)};
    if (question.kind == kDraft && question.repeat == 1) return Reply{.text = "{}"};
    if (question.kind == kDraft) return Reply{.text = kTwo};
    EXPECT_THAT(question.prompt, AllOf(HasSubstr("1. the clock goes the wrong way"), HasSubstr("(nothing)")));
    return Reply{.text = R"({"anomaly_description_1": "the clock goes the wrong way"})"};
  });
  EXPECT_EQ(answered.questions.size(), 3u + 1u + 2u);
  EXPECT_EQ(answered.questions[3].id, "hall/ad");
  EXPECT_DOUBLE_EQ(find_metric(scored(answered, options), "ad", "precision")->value, 1);
}

TEST(CaveConversation, TwoDraftsAreEnoughAndOneIsAFailure) {
  const ProtocolOptions options = {{"tasks", "ad"}, {"prompt", "consistency"}};
  const auto with_drafts = [&](int usable) {
    return converse(kProtocol, hall(), options, [=](const Question& question) {
      if (question.for_judge) return Reply{.text = judge(question)};
      if (question.kind == kDraft && question.repeat >= usable) return Reply{.outcome = Outcome::kTransport};
      return Reply{.text = kTwo};
    });
  };
  const AnsweredSample two = with_drafts(2);
  EXPECT_THAT(two.questions[3].prompt, HasSubstr("(this list was lost)"));
  const AnsweredSample one = with_drafts(1);
  EXPECT_EQ(one.questions.size(), 3u);
  const Summary summary = scored(one, options);
  EXPECT_DOUBLE_EQ(find_metric(summary, "ad", "recall")->value, 0);
  EXPECT_TRUE(find_metric(summary, "ad", "recall")->missing.has_value());
  EXPECT_EQ(summary.outcomes.of(Outcome::kTransport), 2u);
}

TEST(CaveConversation, TurnsBuildUponOneAnother) {
  const ProtocolOptions options = {{"tasks", "ad"}, {"prompt", "multi-turn"}};
  const AnsweredSample answered = converse(kProtocol, hall(), options, [](const Question& question) {
    if (question.for_judge) return Reply{.text = judge(question)};
    return Reply{.text = question.kind == kStep ? "turn " + question.id : kTwo};
  });
  ASSERT_EQ(answered.questions.size(), 3u + 4u);
  const Question& last = answered.questions[2];
  EXPECT_EQ(last.kind, kDescribe);
  ASSERT_EQ(last.earlier.size(), 2u);
  EXPECT_EQ(last.earlier[0].reply, "turn hall/ad-step/1");
  EXPECT_EQ(last.earlier[1].prompt, answered.questions[1].prompt);
  EXPECT_DOUBLE_EQ(find_metric(scored(answered, options), "ad", "recall")->value, 0.5);

  const AnsweredSample ended = converse(kProtocol, hall(), options, [](const Question& question) {
    return question.id.ends_with("/2") ? Reply{.outcome = Outcome::kRefused} : Reply{.text = "fine"};
  });
  EXPECT_EQ(ended.questions.size(), 2u);
  const Summary summary = scored(ended, options);
  EXPECT_DOUBLE_EQ(find_metric(summary, "ad", "recall")->value, 0);
  EXPECT_EQ(summary.outcomes.of(Outcome::kRefused), 1u);
}

TEST(CaveConversation, EveryStrategyAsks) {
  for (const char* prompt : {"vanilla", "cot", "som", "cot-som", "multi-step", "multi-turn", "consistency"}) {
    const auto questions = ask(hall(), {{"tasks", "ad"}, {"prompt", prompt}});
    ASSERT_TRUE(questions) << questions.error().message();
    for (const Question& question : *questions) EXPECT_THAT(question.prompt, Not(HasSubstr("{reasoning}")));
  }
  // Set-of-marks leaves the words alone.
  const auto words = [&](const char* prompt) {
    return ask(hall(), {{"tasks", "ad"}, {"prompt", prompt}}).value()[0].prompt;
  };
  EXPECT_EQ(words("som"), words("vanilla"));
  EXPECT_EQ(words("cot-som"), words("cot"));
}

TEST(CaveConversation, CategoriesAndCulture) {
  const ProtocolOptions options = {{"tasks", "category,culture"}};
  const AnsweredSample answered = converse(kProtocol, hall(), options, [](const Question& question) {
    if (question.kind == kCategorise) {
      EXPECT_THAT(question.images, IsEmpty());
      return Reply{.text = "**Entity Attribute**"};
    }
    return Reply{.text = question.id == "hall/1/culture"
                             ? R"({"cultural alignment": "Yes", "context": "x", "justification": "y"})"
                             : R"({"cultural_alignment": "no", "context": null})"};
  });
  ASSERT_EQ(answered.questions.size(), 4u);
  const Summary summary = scored(answered, options);
  EXPECT_DOUBLE_EQ(find_metric(summary, "category", "accuracy")->value, 0.5);
  EXPECT_DOUBLE_EQ(find_metric(summary, "culture", "usual_somewhere")->value, 0.5);

  const Question category{.id = "hall/1/category", .kind = std::string(kCategorise)};
  for (const char* useless : {"", "Entity", "Entity Absence or Entity Presence", "none of them", "7"}) {
    EXPECT_EQ(parse(hall(), category, {.text = useless}).outcome, Outcome::kUnparsable) << useless;
  }
  const Question culture{.id = "hall/1/culture", .kind = std::string(kCulture)};
  for (const char* useless :
       {"", "yes", "{}", R"({"cultural_alignment": "maybe"})", R"({"cultural_alignment": [1]})"}) {
    EXPECT_EQ(parse(hall(), culture, {.text = useless}).outcome, Outcome::kUnparsable) << useless;
  }
}

TEST(CaveConversation, CategoriesOfTheModelsOwnDescriptions) {
  const ProtocolOptions options = {{"tasks", "ad,category"}, {"categories", "described"}};
  const AnsweredSample answered = converse(kProtocol, hall(), options, [](const Question& question) {
    if (question.for_judge) return Reply{.text = judge(question)};
    if (question.kind == kCategoriseOwn) {
      EXPECT_THAT(question.images, IsEmpty());
      return Reply{.text = question.id == "hall/ad/1/category" ? "Entity Attribute" : "Entity Presence"};
    }
    return Reply{.text = kTwo};
  });
  const Summary summary = scored(answered, options);
  EXPECT_EQ(find_metric(summary, "category", "accuracy"), nullptr);
  const Metric* own = find_metric(summary, "category", "accuracy_described");
  ASSERT_NE(own, nullptr);
  EXPECT_DOUBLE_EQ(own->value, 1);
  EXPECT_EQ(own->count, 1u) << "the cat in shoes found no true anomaly";
  EXPECT_FALSE(ask(hall(), {{"draft_temperature", "warm"}}).has_value());
  EXPECT_FALSE(ask(hall(), {{"prompt", "consistency"}, {"draft_temperature", "default"}})
                   .value()[0]
                   .attributes.contains("temperature"));
}

class CaveMarks : public ::testing::Test {
 protected:
  void SetUp() override {
    value_or_throw(imaging::write_image(folder_.path() / "hall.png", imaging::Image(80, 60, 3, 128)));
    value_or_throw(write_file(folder_.path() / "annotations.json",
                              R"([{"id": "hall", "image": "hall.png", "anomalies": []}])"));
  }
  Result<Dataset> read(std::string_view marks) {
    value_or_throw(write_file(folder_.path() / "marks.json", marks));
    return read_samples(folder_.path(), {{"prompt", "som"},
                                         {"marks", (folder_.path() / "marks.json").string()},
                                         {"marked", (folder_.path() / "marked").string()}});
  }
  TemporaryFolder folder_;
};

TEST_F(CaveMarks, AreDrawnOnACopyThatTheModelSees) {
  const Dataset dataset =
      read(R"([{"id": "hall", "boxes": [[10, 10, 50, 40], {"x": 1, "y": 1, "width": 5, "height": 5}]}])")
          .value();
  const ImageRef& image = dataset.samples[0].images[0];
  EXPECT_THAT(image.path, HasSubstr("marked"));
  EXPECT_EQ(image.width, 80);
  const imaging::Image marked = imaging::read_image(image.path).value();
  EXPECT_EQ(marked.width, 80);
  EXPECT_NE(marked, imaging::read_image(folder_.path() / "hall.png").value());
  EXPECT_EQ(read(R"([{"id": "hall", "boxes": [[10, 10, 50, 40], [1, 1, 6, 6]]}])")
                .value()
                .samples[0]
                .images[0]
                .path,
            image.path);  // the same boxes: the same copy
  EXPECT_NE(read(R"([{"id": "hall", "boxes": [[10, 10, 50, 41]]}])").value().samples[0].images[0].path,
            image.path);
}

TEST_F(CaveMarks, WrongFilesAreErrorsAndMissingMarksAreCounted) {
  for (const char* wrong :
       {"", "[", "{}", R"([{"id": "cellar", "boxes": []}])", R"([{"id": "hall"}])",
        R"([{"id": "hall", "boxes": [[0, 0, 900, 10]]}])", R"([{"id": "hall", "boxes": [[1, 2, 3]]}])",
        R"([{"id": "hall", "boxes": []}, {"id": "hall", "boxes": []}])"}) {
    EXPECT_FALSE(read(wrong).has_value()) << wrong;
  }
  const Dataset without = read(R"([{"id": "hall", "boxes": []}])").value();
  EXPECT_THAT(without.notes.back(), HasSubstr("1 of 1 images have no marks"));
  EXPECT_FALSE(read_samples(folder_.path(), {{"marks", "x"}}).has_value());  // no prompt that shows them
}

}  // namespace
}  // namespace awry::benchmarks::cave
