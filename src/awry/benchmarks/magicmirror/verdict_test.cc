// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/parse/parsed.h"

namespace awry::benchmarks::magicmirror {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Verdict read(std::string_view reply) {
  auto verdict = VerdictReader().read(reply);
  EXPECT_TRUE(verdict.has_value()) << reply << "\n" << (verdict ? "" : verdict.error().message());
  return verdict ? *verdict : Verdict{};
}

std::string why_not(std::string_view reply) {
  const auto verdict = VerdictReader().read(reply);
  return verdict ? "read" : verdict.error().message();
}

LabelSet level3(std::string_view name) {
  return LabelSet().add_level3(level3_named(name).value());
}
const LabelSet kHands = level3("L3: Hand Structure Deformity");
const LabelSet kOverlap = level3("L3: Abnormal Element Overlap");
const LabelSet kObject = LabelSet().add(Level2::kObject);

TEST(LabelSet, ALabelBringsTheLevelsAboveIt) {
  EXPECT_TRUE(kHands.has(Level2::kHuman));
  EXPECT_TRUE(kHands.is_artifact());
  EXPECT_EQ(kHands.level2().size(), 1);
  EXPECT_EQ(kHands.level3(), kHands.level3_of(Level2::kHuman));
  EXPECT_TRUE(LabelSet().is_normal());
  EXPECT_TRUE(LabelSet::artifact().is_artifact());
  EXPECT_EQ(LabelSet::artifact().level2().size(), 0);
}

TEST(LabelSet, SurvivesFindingsAndJson) {
  std::vector<LabelSet> sets = {
      LabelSet(),          kHands, kObject, kHands | kOverlap | kObject, LabelSet().add(Level2::kOther),
      LabelSet::artifact()};
  for (std::size_t i = 0; i < kLevel3.size(); ++i) sets.push_back(LabelSet().add_level3(i));
  for (const LabelSet labels : sets) {
    EXPECT_EQ(labels_of(findings_of(labels, "a", {})).value(), labels) << verdict_json(labels);
    const Verdict verdict = read("\\boxed{" + verdict_json(labels) + "}");
    EXPECT_EQ(verdict.labels, labels) << verdict_json(labels);
    EXPECT_EQ(verdict.as_released, labels) << verdict_json(labels);
    EXPECT_THAT(verdict.tolerated, IsEmpty());
  }
  EXPECT_FALSE(labels_of(std::vector<Finding>{{.type = "splicing"}}).has_value());
}

TEST(Verdict, TheReleasedFormIsReadAsItIs) {
  const Verdict normal = read("<think>\nall {is} well\n</think>\n\\boxed{{\"Whether Normal\": true}}");
  EXPECT_TRUE(normal.labels.is_normal());
  EXPECT_EQ(normal.as_released, LabelSet());
  const Verdict flawed = read(
      R"(<think>x</think>\boxed{{"Whether Normal": false, "Type of Deformity": {"L2: Abnormal Human Anatomy": ["L3: Hand Structure Deformity"], "L2: Abnormal Object Morphology": true}}})");
  EXPECT_EQ(flawed.labels, kHands | kObject);
  EXPECT_EQ(flawed.as_released, kHands | kObject);
}

TEST(Verdict, TheLastBoxCounts) {
  EXPECT_TRUE(
      read(
          R"(\boxed{{"Whether Normal": false, "Type of Deformity": {}}} no: \boxed{{"Whether Normal": true}})")
          .labels.is_normal());
}

TEST(Verdict, BareJsonIsALabelButNotAReleasedReply) {
  const Verdict verdict = read(
      R"( {"Whether Normal": false, "Type of Deformity": {"L2: Irrational Element Interaction": ["L3: Abnormal Element Overlap"]}} )");
  EXPECT_EQ(verdict.labels, kOverlap);
  EXPECT_EQ(verdict.as_released, std::nullopt);
}

// What other models wrote, as the paper prints it: readable, but refused by the released checker.
TEST(Verdict, FormsOfOtherModelsAreReadAndSaidToBeTolerated) {
  struct Case {
    const char* reply;
    LabelSet labels;
  };
  const Case cases[] = {
      {R"(\boxed{{"Whether Normal": False, "Type of Abnormality": {"L2: Abnormal Object Morphology": True}}})",
       kObject},
      {"\\boxed{{\u201cWhether Normal\u201d: True}}", LabelSet()},
      {R"(\boxed{answer: {"Whether Normal": True}})", LabelSet()},
      {"<think>\nfine\n</think>\n\n\\boxed{{\u201cWhether Normal\u201d: True}}}", LabelSet()},
      {R"(\boxed{{"Whether Normal": false, "Type of Abnormality":
["L2: Irrational Element Interaction":
["L3: Abnormal Element Overlap"]]
 }}})",
       kOverlap},
      {"<think>x</think>\n<boxed>{{\"Whether Normal\": false, \"Type of Deformity\": {\"L2: Abnormal Object "
       "Morphology\": true}}}",
       kObject},
      {"```json\n{\"Whether Normal\": false, \"Type of Deformity\": {\"Abnormal human anatomy\": [\"hand "
       "structure "
       "deformity\"]}}\n```",
       kHands},
      {R"({"whether_normal": "No", "type_of_deformity": ["L2: Abnormal Object Morphology"]})", kObject},
      {R"(\boxed{{"Whether Normal": false, "Type of Deformity": {"L2: Abnormal Human Anatomy": "L3: Hand Structure Deformity"}}})",
       kHands},
      {R"(\boxed{{"Whether Normal": false, "Type of Deformity": {"L2: Abnormal Human Anatomy": {"L3: Hand Structure Deformity": true, "L3: Foot Structure Deformity": false}}}})",
       kHands},
      {R"(\boxed{{"Whether Normal": false, "Type of Deformity": {"L2: Abnormal Human Anatomy": true}}})",
       LabelSet().add(Level2::kHuman)},
      {R"(\boxed{{"Whether Normal": false}})", LabelSet::artifact()},
      {R"(\boxed{{"Whether Normal": true, "Type of Deformity": {}}})", LabelSet()},
      {R"(\boxed{{"Whether Normal": true, "Confidence": 0.9}})", LabelSet()},
  };
  for (const Case& one : cases) {
    const Verdict verdict = read(one.reply);
    EXPECT_EQ(verdict.labels, one.labels) << one.reply << "\n" << verdict_json(verdict.labels);
    EXPECT_EQ(verdict.as_released, std::nullopt) << one.reply;
    EXPECT_NE(parse::complaint_of(verdict.tolerated), "") << one.reply;
  }
}

TEST(Verdict, ALabelSetToFalseIsDeniedThoughTheReleasedCheckerCountsIt) {
  const Verdict verdict = read(
      R"(\boxed{{"Whether Normal": false, "Type of Deformity": {"L2: Abnormal Object Morphology": false, "L2: Irrational Element Interaction": ["L3: Abnormal Element Overlap"]}}})");
  EXPECT_EQ(verdict.labels, kOverlap);
  EXPECT_EQ(verdict.as_released, kOverlap | kObject);
}

TEST(Verdict, ADraftInsideTheThinkingIsNotTheVerdict) {
  const Verdict verdict = read(
      R"(<think>perhaps \boxed{{"Whether Normal": true}}</think>{"Whether Normal": false, "Type of Deformity": {"L2: Abnormal Object Morphology": true}})");
  EXPECT_EQ(verdict.labels, kObject);
}

TEST(Verdict, WhatCannotBeReadSaysWhy) {
  EXPECT_THAT(why_not(""), HasSubstr("none"));
  EXPECT_THAT(why_not("\\boxed{answer}"), HasSubstr("not JSON"));
  EXPECT_THAT(why_not("Therefore the image is normal. Whether Normal: True"), HasSubstr("none"));
  EXPECT_THAT(why_not(R"(\boxed{{"Type of Deformity": {}}})"), HasSubstr("Whether Normal"));
  EXPECT_THAT(why_not(R"(\boxed{{"Whether Normal": "maybe"}})"), HasSubstr("neither true nor false"));
  EXPECT_THAT(
      why_not(
          R"(\boxed{{"Whether Normal": true, "Type of Deformity": {"L2: Abnormal Object Morphology": true}}})"),
      HasSubstr("normal and names"));
  EXPECT_THAT(why_not(R"(\boxed{{"Whether Normal": false, "Type of Deformity": {"L2: Bad Taste": true}}})"),
              HasSubstr("not a label at L2"));
  EXPECT_THAT(
      why_not(
          R"(\boxed{{"Whether Normal": false, "Type of Deformity": {"L2: Abnormal Animal Anatomy": ["L3: Hand Structure Deformity"]}}})"),
      HasSubstr("does not belong under"));
  EXPECT_THAT(
      why_not(
          R"(\boxed{{"Whether Normal": false, "Type of Deformity": {"L2: Abnormal Human Anatomy": [3]}}})"),
      HasSubstr("not a string"));
  EXPECT_NE(why_not(R"(\boxed{{"Whether Normal": false, "Type of Deformity": {"L2: Abnormal Hum)"), "read");
}

TEST(Verdict, SurvivesHostileText) {
  VerdictReader reader;
  for (const std::string& text :
       {std::string(100'000, '{'), "\\boxed{" + std::string(100'000, '['), std::string("\\boxed{\0}", 9),
        std::string("\xff\xfe\\boxed{{\"Whether Normal\": true\xff}}"), std::string("\\boxed{"),
        std::string("}")}) {
    EXPECT_FALSE(reader.read(text).has_value());
  }
  EXPECT_TRUE(reader.read(R"(\boxed{{"Whether Normal": true}})").has_value());
}

}  // namespace
}  // namespace awry::benchmarks::magicmirror
