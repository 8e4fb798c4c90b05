// SPDX-License-Identifier: Apache-2.0
// How well an assessor finds labels: hand-worked counts, and the paper's Tables 1 and 2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/benchmarks/embedded_files.h"
#include "awry/benchmarks/magicmirror/classification.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"

namespace awry::benchmarks::magicmirror {
namespace {

using testing::Contains;
using testing::HasSubstr;

Json published() {
  return parse_json(embedded_file("magicmirror/published.json").value(), "published.json")
      .value()
      .at("magicmirror");
}

const Metric& metric(const Summary& summary, std::string_view group, std::string_view key) {
  for (const Metric& one : summary.metrics) {
    if (one.group == group && one.key == key) return one;
  }
  ADD_FAILURE() << "no metric " << group << "/" << key;
  static const Metric none;
  return none;
}
double value(const Summary& summary, std::string_view group, std::string_view key) {
  return metric(summary, group, key).value;
}

TEST(MagicMirrorPublished, MacroAveragesOfTableOneAreTheMeansOfTableTwo) {
  const Json table = published();
  ASSERT_EQ(table.at("rows").size(), 8u);
  std::vector<Json> rows(table.at("rows").begin(), table.at("rows").end());
  rows.insert(rows.end(), table.at("ablations").begin(), table.at("ablations").end());  // Tables 4 and 8
  ASSERT_EQ(rows.size(), 12u);
  for (const Json& row : rows) {
    std::vector<PrecisionRecall> labels;
    for (const Level2 level2 : kScoredLevel2) {
      const std::string key(label_of(level2).key);
      labels.push_back({row.at(key + "_precision"), row.at(key + "_recall"), row.at(key + "_f1")});
    }
    const PrecisionRecall macro = macro_average(labels);
    // Four numbers rounded to 0.0001 each, and the printed mean: half a digit each way.
    EXPECT_NEAR(macro.precision, row.at("l2_macro_precision").get<double>(), 1.01e-4) << row.at("model");
    EXPECT_NEAR(macro.recall, row.at("l2_macro_recall").get<double>(), 1.01e-4) << row.at("model");
    EXPECT_NEAR(macro.f1, row.at("l2_macro_f1").get<double>(), 1.01e-4) << row.at("model");
  }
}

TEST(MagicMirrorPublished, EveryF1FollowsFromItsPrecisionAndRecall) {
  for (const Json& row : published().at("rows")) {
    for (const char* group : {"l2_micro", "artifacts", "interaction", "human", "animal", "object"}) {
      const std::string key(group);
      const double p = row.at(key + "_precision"), r = row.at(key + "_recall");
      // Precision and recall are rounded as well, which shows where one of them is near 0.
      EXPECT_NEAR(2 * p * r / (p + r), row.at(key + "_f1").get<double>(), 2e-4)
          << row.at("model") << " " << group;
    }
  }
}

// Six images. Truth:      normal, hands, hands+overlap, object, animal limbs, normal
//             Predicted:  hands,  hands, face,          object, (nothing),    normal
class SixImages : public testing::Test {
 protected:
  static std::string row(const char* name, const char* field, LabelSet labels) {
    return dump_json(Json{{"images", name}, {field, verdict_json(labels)}}) + "\n";
  }
  static LabelSet level3(std::string_view name) { return LabelSet().add_level3(level3_named(name).value()); }

  SixImages() {
    const LabelSet hands = level3("L3: Hand Structure Deformity"),
                   face = level3("L3: Facial Structure Deformity"),
                   overlap = level3("L3: Abnormal Element Overlap"),
                   limbs = level3("L3: Abnormal Limb Structure"), object = LabelSet().add(Level2::kObject),
                   normal;
    const std::string truth = row("1", "response", normal) + row("2", "response", hands) +
                              row("3", "response", hands | overlap) + row("4", "response", object) +
                              row("5", "response", limbs) + row("6", "response", normal);
    const std::string answers = row("6", "output", normal) + row("1", "output", hands) +
                                row("2", "output", hands) + row("3", "output", face) +
                                row("4", "output", object) + R"({"images": "5", "output": "I cannot tell."})";
    EXPECT_TRUE(write_file(truth_, truth).has_value());
    EXPECT_TRUE(write_file(answers_, answers).has_value());
  }
  Summary score(const ProtocolOptions& options) const {
    const auto summary = score_magicmirror_files(truth_, answers_, options);
    EXPECT_TRUE(summary.has_value()) << summary.error().message();
    return summary.value_or(Summary());
  }

  TemporaryFolder folder_;
  const std::filesystem::path truth_ = folder_.path() / "truth.jsonl",
                              answers_ = folder_.path() / "answers.jsonl";
};

TEST_F(SixImages, CountsAreThoseWorkedByHand) {
  const Summary summary = score({{"resamples", "50"}});
  // Artifact: predicted 1,2,3,4; true 2,3,4,5.
  EXPECT_DOUBLE_EQ(value(summary, "artifacts", "precision"), 3.0 / 4);
  EXPECT_DOUBLE_EQ(value(summary, "artifacts", "recall"), 3.0 / 4);
  EXPECT_DOUBLE_EQ(value(summary, "artifacts", "f1"), 3.0 / 4);
  EXPECT_DOUBLE_EQ(value(summary, "artifacts", "accuracy"), 4.0 / 6);
  // Human: predicted 1,2,3; true 2,3. Interaction: never predicted. Animal: no answer. Object: right.
  EXPECT_DOUBLE_EQ(value(summary, "human", "precision"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(value(summary, "human", "recall"), 1);
  EXPECT_DOUBLE_EQ(value(summary, "human", "f1"), 0.8);
  EXPECT_DOUBLE_EQ(value(summary, "interaction", "precision"), 0);
  EXPECT_DOUBLE_EQ(value(summary, "animal", "recall"), 0);
  EXPECT_DOUBLE_EQ(value(summary, "object", "f1"), 1);
  EXPECT_DOUBLE_EQ(value(summary, "l2_macro", "precision"), (0 + 2.0 / 3 + 0 + 1) / 4);
  EXPECT_DOUBLE_EQ(value(summary, "l2_macro", "recall"), (0 + 1 + 0 + 1) / 4.0);
  EXPECT_DOUBLE_EQ(value(summary, "l2_macro", "f1"), (0 + 0.8 + 0 + 1) / 4);
  // Pooled: 4 predicted, 5 true, 3 right.
  EXPECT_DOUBLE_EQ(value(summary, "l2_micro", "precision"), 3.0 / 4);
  EXPECT_DOUBLE_EQ(value(summary, "l2_micro", "recall"), 3.0 / 5);
  EXPECT_DOUBLE_EQ(value(summary, "l2_micro", "f1"), 6.0 / 9);
  // L3: predicted hands twice, face; true hands twice, overlap, limbs; right: hands of image 2.
  EXPECT_DOUBLE_EQ(value(summary, "l3_micro", "precision"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(value(summary, "l3_micro", "recall"), 1.0 / 4);
  EXPECT_DOUBLE_EQ(value(summary, "l3/human_hands", "f1"), 0.5);
  EXPECT_DOUBLE_EQ(value(summary, "l3_macro", "f1"), 0.5 / 4);  // hands, face, overlap, limbs
  EXPECT_EQ(summary.outcomes.of(Outcome::kAnswered), 5u);
  EXPECT_EQ(summary.outcomes.of(Outcome::kUnparsable), 1u);
}

TEST_F(SixImages, RewardsAreTheirMeans) {
  const Summary summary = score({{"resamples", "50"}});
  // Images 1 to 6 as the paper: 8 (L1 wrong), 15, 12 + 2 * 0.3 (one L2 right, one missed; three L3 wrong),
  // 15, 0, 15.
  EXPECT_NEAR(value(summary, "reward", "paper"), 65.6 / 6, 1e-12);
  EXPECT_NEAR(metric(summary, "reward", "paper").missing->high, 80.6 / 6, 1e-12);
  EXPECT_THAT(metric(summary, "reward", "paper").signature, HasSubstr("consistency:assumed"));
  // As released, the object has no L3 to be right about, and the normal image no L2 either.
  EXPECT_NEAR(value(summary, "reward", "released"), (8 + 15 + 12.6 + 14 + 0 + 12) / 6, 1e-12);
  const Summary left_out = score({{"resamples", "0"}, {"unanswered", "left-out"}});
  EXPECT_NEAR(value(left_out, "reward", "released"), 61.6 / 5, 1e-12);
}

TEST_F(SixImages, EveryNumberIsSignedCountedAndHasItsRanges) {
  const Summary summary = score({{"resamples", "50"}});
  for (const Metric& one : summary.metrics) {
    EXPECT_EQ(one.count, 6u);
    EXPECT_THAT(one.signature, HasSubstr("unanswered:missed"));
    ASSERT_TRUE(one.interval.has_value()) << one.group << one.key;
    ASSERT_TRUE(one.missing.has_value()) << one.group << one.key;
    EXPECT_LE(one.missing->low, one.value) << one.group << one.key;
    EXPECT_GE(one.missing->high, one.value) << one.group << one.key;
  }
  // At best image 5 is labelled as it is; at worst as all that it is not.
  EXPECT_DOUBLE_EQ(metric(summary, "artifacts", "recall").missing->high, 1);
  EXPECT_DOUBLE_EQ(metric(summary, "object", "precision").missing->low, 0.5);
  EXPECT_THAT(summary.notes, Contains(HasSubstr("1 of 6 images have no verdict")));
}

TEST_F(SixImages, UnansweredImagesCanBeLeftOut) {
  const Summary summary = score({{"resamples", "0"}, {"unanswered", "left-out"}});
  EXPECT_DOUBLE_EQ(value(summary, "artifacts", "recall"), 1);
  EXPECT_EQ(metric(summary, "artifacts", "recall").count, 5u);
  EXPECT_FALSE(metric(summary, "artifacts", "recall").interval.has_value());
}

TEST_F(SixImages, BareJsonIsNoReplyUnderStrictReading) {
  const Summary summary = score({{"resamples", "0"}, {"reading", "strict"}});
  EXPECT_EQ(summary.outcomes.of(Outcome::kUnparsable), 6u);
  EXPECT_DOUBLE_EQ(value(summary, "artifacts", "recall"), 0);
}

TEST_F(SixImages, SamplesAndFilesScoreAlike) {
  const ProtocolOptions options = {{"resamples", "20"}};
  auto dataset = kMagicMirror.read_samples(truth_, options);
  ASSERT_TRUE(dataset.has_value()) << dataset.error().message();
  const auto answered = kMagicMirror.read_answers(answers_, std::move(dataset->samples), options);
  ASSERT_TRUE(answered.has_value()) << answered.error().message();
  auto summary = kMagicMirror.score(*answered, options);
  ASSERT_TRUE(summary.has_value()) << summary.error().message();
  EXPECT_EQ(summary->scores.size(), 12u);
  summary->scores.clear();
  EXPECT_EQ(*summary, score(options));
}

TEST_F(SixImages, TheQuestionHoldsPromptTaxonomyAndForm) {
  Sample sample{.id = "s", .images = {{.path = "a.jpg"}}, .passages = {{"prompt", "a [[subject]] in {red}"}}};
  const auto questions = kMagicMirror.ask(sample, {}).value();
  ASSERT_EQ(questions.size(), 1u);
  EXPECT_EQ(questions[0].id, "s/assess");
  EXPECT_THAT(questions[0].prompt, HasSubstr("a [[subject]] in {red}"));
  for (const Level2Label& label : kLevel2)
    EXPECT_THAT(questions[0].prompt, HasSubstr(std::string(label.name)));
  for (const Level3Label& label : kLevel3)
    EXPECT_THAT(questions[0].prompt, HasSubstr(std::string(label.name)));
  sample.images.clear();
  EXPECT_FALSE(kMagicMirror.ask(sample, {}).has_value());
}

TEST(MagicMirrorAnswers, ARepliesVerdictBecomesFindings) {
  const Question question{.id = "s/assess", .kind = std::string(kAssess)};
  const Answer answer = parse(
      {}, question,
      {.text =
           R"(<think>six fingers</think>\boxed{{"Whether Normal": false, "Type of Deformity": {"L2: Abnormal Human Anatomy": ["L3: Hand Structure Deformity"]}}})",
       .model = "m"});
  EXPECT_EQ(answer.outcome, Outcome::kAnswered);
  EXPECT_THAT(answer.choices, testing::ElementsAre("L3: Hand Structure Deformity"));
  EXPECT_EQ(answer.text, "six fingers");
  EXPECT_EQ(answer.values.count(kReleasedLabels), 1u);
  EXPECT_EQ(parse({}, question, {.text = "no idea"}).outcome, Outcome::kUnparsable);
  EXPECT_EQ(parse({}, question, {.text = "<think>well,", .finish_reason = "length"}).outcome,
            Outcome::kTruncated);
  EXPECT_EQ(parse({}, question, {.outcome = Outcome::kRefused}).outcome, Outcome::kRefused);
}

TEST(MagicMirrorLeaderboard, RunsStandAmongThePublishedModels) {
  Summary summary{.protocol = "magicmirror",
                  .metrics = {{.key = "f1", .group = "l2_macro", .value = 0.4, .count = 5}}};
  const auto board = kMagicMirror.leaderboard(std::vector<ScoredRun>{{"mine", summary}}, {}).value();
  ASSERT_EQ(board.rows.size(), 9u);
  EXPECT_EQ(board.rows[0].model, "MagicAssessor-7B");
  EXPECT_EQ(board.rows[1].model, "mine");
  EXPECT_EQ(board.rows[1].group, "yours");
  summary.protocol = "magicbench";
  EXPECT_FALSE(kMagicMirror.leaderboard(std::vector<ScoredRun>{{"mine", summary}}, {}).has_value());
}

}  // namespace
}  // namespace awry::benchmarks::magicmirror
