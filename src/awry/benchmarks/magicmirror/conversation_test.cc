// SPDX-License-Identifier: Apache-2.0
// Assessments, subjects and the judge of consistency: ask, reply, parse, follow up, score.
#include "awry/benchmarks/conversation_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/files.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"

namespace awry::benchmarks::magicmirror {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kHand =
    R"(<think>Six fingers.</think>\boxed{{"Whether Normal": false, "Type of Deformity": {"L2: Abnormal Human Anatomy": ["L3: Hand Structure Deformity"]}}})";
constexpr const char* kNormal = R"(<think>All is well.</think>\boxed{{"Whether Normal": true}})";

Sample waving() {
  return {.id = "w",
          .images = {{.path = "w.png"}},
          .passages = {{"prompt", "a {waving} man"}},
          .has_truth = true,
          .truth = {{.type = "L3: Hand Structure Deformity"}}};
}

Summary scored(std::vector<AnsweredSample> answered) {
  return value_or_throw(score_mirror(answered, {{"consistency", "true"}, {"resamples", "0"}}));
}

Script saying(std::string assessment, Reply verdict) {
  return [=](const Question& question) {
    EXPECT_EQ(question.for_judge, question.kind == kConsistency);
    return question.for_judge ? verdict : Reply{.text = assessment};
  };
}

TEST(MirrorConversation, AConsistentVerdictKeepsItsReward) {
  const ProtocolOptions options = {{"consistency", "true"}};
  const AnsweredSample answered =
      converse(kMagicMirror, waving(), options, saying(kHand, {.text = "It follows.\nYes"}));
  ASSERT_EQ(answered.questions.size(), 2u);
  EXPECT_THAT(answered.questions[0].prompt, HasSubstr("a {waving} man"));
  EXPECT_THAT(answered.questions[1].prompt, AllOf(HasSubstr("Six fingers."), HasSubstr("Hand Structure")));
  EXPECT_THAT(answered.questions[1].images, IsEmpty());
  EXPECT_DOUBLE_EQ(find_metric(scored({answered}), "reward", "paper")->value, 15);
}

TEST(MirrorConversation, AnInconsistentOneLosesItAll) {
  const AnsweredSample answered =
      converse(kMagicMirror, waving(), {{"consistency", "true"}}, saying(kHand, {.text = "No"}));
  EXPECT_DOUBLE_EQ(find_metric(scored({answered}), "reward", "paper")->value, 0);
  EXPECT_DOUBLE_EQ(find_metric(scored({answered}), "reward", "consistent")->value, 0);
}

TEST(MirrorConversation, AJudgeThatFailsLeavesTheImageOut) {
  const ProtocolOptions options = {{"consistency", "true"}};
  for (const Reply& useless : {Reply{.text = "Who knows"}, Reply{.outcome = Outcome::kTransport}, Reply{}}) {
    const AnsweredSample failed = converse(kMagicMirror, waving(), options, saying(kHand, useless));
    const AnsweredSample fine = converse(kMagicMirror, waving(), options, saying(kNormal, {.text = "Yes"}));
    const Summary summary = scored({failed, fine});
    EXPECT_EQ(summary.outcomes.of(Outcome::kJudgeFailed), 1u);
    const Metric* mean = find_metric(summary, "reward", "paper");
    EXPECT_DOUBLE_EQ(mean->value, 8);  // format alone; L1 is wrong, nothing predicted below it
    ASSERT_TRUE(mean->missing.has_value());
    EXPECT_DOUBLE_EQ(mean->missing->low, 4);
    EXPECT_DOUBLE_EQ(mean->missing->high, 11.5);
  }
}

TEST(MirrorConversation, NobodyIsJudgedUnlessAskedForNorWithoutReasoning) {
  EXPECT_EQ(converse(kMagicMirror, waving(), {}, saying(kHand, {})).questions.size(), 1u);
  const ProtocolOptions options = {{"consistency", "true"}};
  const AnsweredSample bare =
      converse(kMagicMirror, waving(), options, saying(R"(\boxed{{"Whether Normal": true}})", {}));
  EXPECT_EQ(bare.questions.size(), 1u);
  EXPECT_DOUBLE_EQ(find_metric(scored({bare}), "reward", "consistent")->value, 0);
  const AnsweredSample garbage = converse(kMagicMirror, waving(), options, saying("\\boxed{", {}));
  EXPECT_EQ(garbage.questions.size(), 1u);
  EXPECT_DOUBLE_EQ(find_metric(scored({garbage}), "reward", "paper")->value, 0);
}

TEST(MirrorConversation, AnImaginedReplyLeadsToTheJudgeAsARealOneDoes) {
  const auto imagining = [](const Question& question) { return Reply{.text = imagine(waving(), question)}; };
  const ProtocolOptions options = {{"consistency", "true"}};
  EXPECT_EQ(converse(kMagicMirror, waving(), options, imagining).questions.size(), 2u);
  EXPECT_EQ(converse(kMagicMirror, waving(), {}, imagining).questions.size(), 1u);
}

Sample juggler() {
  Sample sample{.id = "j", .images = {{.path = "j.png"}}, .passages = {{"prompt", "a juggler"}}};
  sample.attributes = {
      {kClassAttribute, "human"}, {kDetailAttribute, "human_single"}, {kSubjectAttribute, "juggler"}};
  return sample;
}

double overall(const std::string& subject_reply) {
  const AnsweredSample answered = converse(kMagicBench, juggler(), {}, [&](const Question& question) {
    return Reply{.text = question.kind == kSubject ? subject_reply : kNormal};
  });
  EXPECT_EQ(answered.questions.size(), 2u);
  const Summary summary = value_or_throw(score_bench(std::span(&answered, 1), {{"resamples", "0"}}));
  const Metric* metric = find_metric(summary, "", "overall");
  return metric == nullptr ? -1 : metric->value;
}

TEST(BenchConversation, AMissingSubjectIsAnArtifactHoweverCleanTheImage) {
  EXPECT_DOUBLE_EQ(overall("The juggler is there, whole.\nYes"), 100);
  EXPECT_DOUBLE_EQ(overall("I see only hands. Yes? No."), 0);
}

TEST(BenchConversation, TheSubjectMayBeLeftToTheJudge) {
  const auto questions = ask_bench(juggler(), {{"subject", "judge"}}).value();
  ASSERT_EQ(questions.size(), 2u);
  EXPECT_TRUE(questions[0].for_judge);
  EXPECT_FALSE(questions[1].for_judge);
  EXPECT_THAT(questions[0].prompt, HasSubstr("\"juggler\""));
}

TEST(BenchRows, AnUnknownClassIsAnErrorWithFileAndLine) {
  TemporaryFolder folder;
  const auto message = [&](std::string_view second) {
    const auto path = folder.path() / "rows.jsonl";
    value_or_throw(write_file(
        path,
        std::string(
            R"({"prompt_t2i": "a", "subject": "x", "class": "human", "detail_class": "human_single"})") +
            "\n" + std::string(second) + "\n"));
    return read_bench_samples(path, {}).error().message();
  };
  EXPECT_THAT(message(R"({"prompt_t2i": "b", "subject": "x", "class": "robot"})"),
              AllOf(HasSubstr("rows.jsonl"), HasSubstr("line 2"), HasSubstr("robot")));
  EXPECT_THAT(message(R"({"prompt_t2i": "b", "class": "human", "detail_class": "animal_multi"})"),
              AllOf(HasSubstr("line 2"), HasSubstr("animal_multi")));
  EXPECT_THAT(message(R"({"prompt_t2i": "b", "subject": "x"})"), HasSubstr("no 'class'"));
}

}  // namespace
}  // namespace awry::benchmarks::magicmirror
