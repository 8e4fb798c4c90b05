// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/text.h"
#include "awry/benchmarks/metric_value_test.h"
#include "awry/benchmarks/themis/themis.h"

namespace awry::benchmarks::themis {
namespace {

using testing::HasSubstr;

const ProtocolOptions kNoBootstrap = {{"resamples", "0"}};

Sample make(std::string id, std::string_view kind, std::vector<Finding> truth) {
  Sample sample{.id = std::move(id), .has_truth = true, .truth = std::move(truth)};
  sample.attributes = {{kTaskAttribute, std::string(kind)}, {kScenarioAttribute, "Chart"}};
  return sample;
}

Sample forged(std::string id, std::string type, std::vector<int> blocks) {
  return make(std::move(id), kForgery,
              {{.where = BlockSet{2, 3, std::move(blocks)}, .type = std::move(type)}});
}

Sample pair(std::string id, std::vector<std::string> operations) {
  if (operations.empty()) return make(std::move(id), kDuplication, {});
  const std::string count = std::to_string(operations.size());
  Sample sample = make(std::move(id), kDuplication,
                       {{.where = Pair{.operations = std::move(operations)}, .type = "duplication"}});
  sample.attributes[kOperationsAttribute] = count;
  return sample;
}

// Replies go through the parser, as in a run.
AnsweredSample reply(Sample sample, std::string text) {
  Question question{
      .id = sample.id, .sample_id = sample.id, .kind = std::string(attribute(sample, kTaskAttribute))};
  if (question.kind == kForgery) question.attributes[kGridAttribute] = "2x3";
  Answer answer = parse(sample, question, {.text = std::move(text)});
  return {.sample = std::move(sample), .questions = {std::move(question)}, .answers = {std::move(answer)}};
}

TEST(ThemisScoring, AuthenticPanelsEnterEveryTypesDenominator) {
  const std::vector<AnsweredSample> run = {
      reply(forged("1", "splicing", {1, 2}), "<CHOICE>A</CHOICE><MASK>1,2,3</MASK>"),
      reply(forged("2", "splicing", {5}), "<CHOICE>B</CHOICE><MASK>5</MASK>"),
      reply(forged("3", "copy_move", {1}), "<CHOICE>B</CHOICE><MASK>6</MASK>"),
      reply(make("4", kForgery, {}), "<CHOICE>D</CHOICE><MASK></MASK>"),
      reply(make("5", kForgery, {}), "<CHOICE>B</CHOICE><MASK>1</MASK>"),
  };
  const Summary summary = score(run, kNoBootstrap).value();
  EXPECT_DOUBLE_EQ(value(summary, "splicing", "id"), 2.0 / 4);
  EXPECT_EQ(find_metric(summary, "splicing", "id")->count, 4u);
  EXPECT_DOUBLE_EQ(value(summary, "copy_move", "id"), 2.0 / 3);
  // Places are scored whether or not the type was right: 2/3 and 1.
  EXPECT_DOUBLE_EQ(value(summary, "splicing", "loc"), (2.0 / 3 + 1) / 2);
  EXPECT_EQ(find_metric(summary, "splicing", "loc")->count, 2u);
  EXPECT_DOUBLE_EQ(value(summary, "splicing", "set_f1"), (0.8 + 1) / 2);
  EXPECT_DOUBLE_EQ(value(summary, "splicing", "exact_match"), 1.0 / 4);
  EXPECT_DOUBLE_EQ(value(summary, "splicing", "false_alarm_rate"), 0.0);
  EXPECT_DOUBLE_EQ(value(summary, "copy_move", "false_alarm_rate"), 0.5);
  EXPECT_DOUBLE_EQ(value(summary, "single_mode", "false_alarm_rate"), 0.5);
  EXPECT_DOUBLE_EQ(value(summary, "single_mode", "id"), (0.5 + 2.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(value(summary, "capability:visual_recognition", "score"), (0.5 + 2.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(value(summary, "forgery/scenario:Chart", "id"), 3.0 / 5);
}

TEST(ThemisScoring, DuplicationIsScoredAsSets) {
  const std::vector<AnsweredSample> run = {
      reply(pair("1", {"flipped", "parameter-modified"}), "<CHOICES>D</CHOICES>"),  // F1 2/3, credit 1/2
      reply(pair("2", {"direct"}), "<CHOICES>A</CHOICES>"),                         // 1, 1
      reply(pair("3", {"rotated"}), "<CHOICES>C,E</CHOICES>"),                      // F1 2/3, credit 0
      reply(pair("4", {}), "<CHOICES>F</CHOICES>"),                                 // 1, 1
      reply(pair("5", {}), "<CHOICES>A</CHOICES>"),                                 // 0
  };
  const Summary summary = score(run, kNoBootstrap).value();
  EXPECT_DOUBLE_EQ(value(summary, "duplication", "id"), (2.0 / 3 + 1 + 2.0 / 3 + 1 + 0) / 5);
  EXPECT_DOUBLE_EQ(value(summary, "duplication", "exact_match"), 2.0 / 5);
  EXPECT_DOUBLE_EQ(value(summary, "duplication", "subset_credit"), (0.5 + 1 + 0 + 1 + 0) / 5);
  EXPECT_DOUBLE_EQ(value(summary, "duplication", "false_alarm_rate"), 0.5);
  EXPECT_DOUBLE_EQ(value(summary, "duplication/operations:2", "id"), 2.0 / 3);
  EXPECT_EQ(find_metric(summary, "duplication", "loc"), nullptr);
}

TEST(ThemisScoring, TextIsScoredByWordsAndClasses) {
  const Sample number =
      make("1", kConsistency,
           {{.where = TextSpan{"caption", "it gave 48 mg"}, .type = "numerical_inconsistency"}});
  const std::vector<AnsweredSample> run = {
      reply(number, "<CHOICE>A</CHOICE><PARTS>caption</PARTS><SENTENCES>gave 48 mg</SENTENCES>"),
      reply(make("2", kConsistency, {}), "<CHOICE>C</CHOICE><PARTS>none</PARTS><SENTENCES></SENTENCES>"),
      reply(make("3", kConsistency, {}), "<CHOICE>D</CHOICE><PARTS>none</PARTS><SENTENCES></SENTENCES>"),
  };
  const Summary summary = score(run, kNoBootstrap).value();
  EXPECT_DOUBLE_EQ(value(summary, "text_image_inconsistency", "id"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(value(summary, "text_image_inconsistency", "loc"), 6.0 / 7);
  EXPECT_DOUBLE_EQ(value(summary, "text_image_inconsistency", "macro_f1"), (1 + 2.0 / 3 + 0) / 3);
  EXPECT_DOUBLE_EQ(value(summary, "text_image_inconsistency", "exact_match"), 1.0 / 3);
  EXPECT_THAT(join(summary.notes, "\n"), HasSubstr("1 answers are \"not sure\""));
}

TEST(ThemisScoring, AlwaysSayingConsistentGetsASixthOverFourClasses) {
  // Half consistent, everything answered C but one D: the constant answer of Table 16 (16.78 of 50.00).
  std::vector<AnsweredSample> run;
  for (int i = 0; i < 150; ++i) {
    const std::string type = i < 60 ? "numerical_inconsistency" : "trend_inconsistency";
    run.push_back(reply(
        make("t" + std::to_string(i), kConsistency, {{.where = TextSpan{"caption", "x"}, .type = type}}),
        i == 0 ? "<CHOICE>D</CHOICE>" : "<CHOICE>C</CHOICE>"));
    run.push_back(reply(make("c" + std::to_string(i), kConsistency, {}), "<CHOICE>C</CHOICE>"));
  }
  const Summary summary = score(run, kNoBootstrap).value();
  EXPECT_DOUBLE_EQ(value(summary, "text_image_inconsistency", "id"), 0.5);
  EXPECT_DOUBLE_EQ(value(summary, "text_image_inconsistency", "macro_f1"), (2.0 * 150 / (299 + 150)) / 4);
}

TEST(ThemisScoring, MissingAnswersCountAsWrongAndOpenARange) {
  const std::vector<AnsweredSample> run = {
      reply(forged("1", "splicing", {1}), "<CHOICE>A</CHOICE><MASK>1</MASK>"),
      reply(forged("2", "splicing", {1}), "sorry"),
      {.sample = make("3", kForgery, {})},                                                     // never asked
      {.sample = Sample{.id = "4", .attributes = {{kTaskAttribute, std::string(kForgery)}}}},  // no truth
  };
  const Summary summary = score(run, kNoBootstrap).value();
  const Metric* id = find_metric(summary, "splicing", "id");
  ASSERT_NE(id, nullptr);
  EXPECT_DOUBLE_EQ(id->value, 1.0 / 3);
  ASSERT_TRUE(id->missing.has_value());
  EXPECT_DOUBLE_EQ(id->missing->low, 1.0 / 3);
  EXPECT_DOUBLE_EQ(id->missing->high, 1.0);
  EXPECT_EQ(summary.outcomes.of(Outcome::kAnswered), 1u);
  EXPECT_EQ(summary.outcomes.of(Outcome::kUnparsable), 1u);
  const std::string notes = join(summary.notes, "\n");
  EXPECT_THAT(notes, HasSubstr("1 samples have no answer at all"));
  EXPECT_THAT(notes, HasSubstr("1 samples have no truth"));
}

TEST(ThemisScoring, CopyMoveWeighsAuthenticPanelsAsThePaperDid) {
  std::vector<AnsweredSample> run;
  for (int i = 0; i < 92; ++i)
    run.push_back(
        reply(forged("f" + std::to_string(i), "copy_move", {1}), "<CHOICE>B</CHOICE><MASK>1</MASK>"));
  for (int i = 0; i < 273; ++i) {
    run.push_back(reply(make("a" + std::to_string(i), kForgery, {}),
                        i < 91 ? "<CHOICE>D</CHOICE>" : "<CHOICE>A</CHOICE>"));
  }
  const Summary summary = score(run, kNoBootstrap).value();
  EXPECT_EQ(find_metric(summary, "copy_move", "id")->count, 242u);
  EXPECT_NEAR(value(summary, "copy_move", "id"), (92 + 150.0 / 3) / 242, 1e-12);
  EXPECT_THAT(find_metric(summary, "copy_move", "id")->signature, HasSubstr("authentic:150of273"));
  ProtocolOptions all = kNoBootstrap;
  all["copy_move_authentic"] = "all";
  EXPECT_EQ(find_metric(score(run, all).value(), "copy_move", "id")->count, 365u);
}

TEST(ThemisScoring, RealCasesAreSummedUpApart) {
  Sample real = forged("real_1", "splicing", {1});
  real.attributes[kDataAttribute] = "real";
  const std::vector<AnsweredSample> run = {reply(real, "<CHOICE>A</CHOICE><MASK>1</MASK>"),
                                           reply(forged("1", "splicing", {1}), "<CHOICE>D</CHOICE>")};
  const Summary summary = score(run, kNoBootstrap).value();
  EXPECT_DOUBLE_EQ(value(summary, "real/splicing", "id"), 1.0);
  EXPECT_DOUBLE_EQ(value(summary, "splicing", "id"), 0.0);
}

TEST(ThemisScoring, EveryMetricIsSignedAndHasAnInterval) {
  std::vector<AnsweredSample> run;
  for (int i = 0; i < 40; ++i) {
    run.push_back(reply(forged("s" + std::to_string(i), "splicing", {1}),
                        i % 2 == 0 ? "<CHOICE>A</CHOICE><MASK>1</MASK>" : "<CHOICE>D</CHOICE>"));
    run.push_back(reply(pair("p" + std::to_string(i), {"flipped"}), "<CHOICES>D</CHOICES>"));
  }
  const Summary summary = score(run, {{"resamples", "500"}}).value();
  ASSERT_FALSE(summary.metrics.empty());
  for (const Metric& metric : summary.metrics) {
    EXPECT_THAT(metric.signature, HasSubstr("|v:")) << metric.group;
    ASSERT_TRUE(metric.interval.has_value()) << metric.group << "/" << metric.key;
    EXPECT_LE(metric.interval->low, metric.value);
    EXPECT_GE(metric.interval->high, metric.value);
  }
  const Interval interval = *find_metric(summary, "splicing", "id")->interval;
  EXPECT_NEAR(interval.low, 0.345, 0.06);  // 0.5 -+ 1.96 sqrt(0.25 / 40)
  EXPECT_NEAR(interval.high, 0.655, 0.06);
  EXPECT_EQ(summary.scores.size(), 40u * 3 + 40u * 2);
}

TEST(ThemisScoring, NothingToScoreIsNotAnError) {
  EXPECT_TRUE(score({}, kNoBootstrap).value().metrics.empty());
}

TEST(ThemisScoring, BrokenInputIsRefused) {
  AnsweredSample lopsided{.sample = make("1", kForgery, {}), .questions = {{.kind = std::string(kForgery)}}};
  EXPECT_FALSE(score(std::vector{lopsided}, kNoBootstrap).has_value());
  EXPECT_FALSE(score(std::vector{AnsweredSample{.sample = {.id = "x"}}}, kNoBootstrap).has_value());
  const AnsweredSample alien{.sample = make("1", kForgery, {{.type = "rust"}})};
  EXPECT_THAT(score(std::vector{alien}, kNoBootstrap).error().message(), HasSubstr("rust"));
}

}  // namespace
}  // namespace awry::benchmarks::themis
