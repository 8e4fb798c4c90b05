// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/benchmarks/themis/themis.h"

namespace awry::benchmarks::themis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::filesystem::path kSmall = std::filesystem::path(AWRY_MODULE_DIR) / "themis/testdata/small";

const Sample& sample(const Dataset& dataset, std::string_view id) {
  for (const Sample& one : dataset.samples) {
    if (one.id == id) return one;
  }
  throw std::out_of_range(std::string(id));
}

std::string passage(const Sample& sample, std::string_view part) {
  for (const Passage& one : sample.passages) {
    if (one.part == part) return one.text;
  }
  return "";
}

// Reads a file of questions given as text, and returns the error's message.
std::string refusal(std::string_view json, const ProtocolOptions& options = {}) {
  TemporaryFolder folder;
  const auto path = folder.path() / "forgery.json";
  EXPECT_TRUE(write_file(path, json));
  const auto read = read_samples(path, options);
  return read ? "it was read" : read.error().message();
}

std::string forgery(std::string_view id, std::string_view fields) {
  return fmt::format(
      R"({{"question_id":"{}","issue":"forgery","sub_issues":["splicing"],"ground_truth":["A"],"panel_paths":["a.png"]{}{}}})",
      id, fields.empty() ? "" : ",", fields);
}

std::string file_of(std::string_view questions) {
  return fmt::format(R"({{"question":[{}]}})", questions);
}

TEST(ThemisSamples, TruthBecomesFindings) {
  const Dataset dataset = read_samples(kSmall, {}).value();
  ASSERT_EQ(dataset.samples.size(), 13u);

  const Sample& spliced = sample(dataset, "forgery_1");
  ASSERT_EQ(spliced.truth.size(), 1u);
  EXPECT_EQ(spliced.truth[0].type, "splicing");
  EXPECT_EQ(std::get<BlockSet>(spliced.truth[0].where), (BlockSet{2, 3, {1, 2, 5}}));
  EXPECT_EQ(spliced.images[0].path, (kSmall / "forgery/splicing/panel/a.png").string());
  EXPECT_EQ(attribute(spliced, kScenarioAttribute), "Chart");
  EXPECT_EQ(attribute(spliced, kDataAttribute), "synthetic");

  EXPECT_EQ(std::get<BlockSet>(sample(dataset, "forgery_2").truth[0].where), (BlockSet{3, 1, {3}}));
  EXPECT_TRUE(std::holds_alternative<WholeImage>(sample(dataset, "forgery_3").truth[0].where));
  // No sentence describes this grid: six blocks are taken as two rows of three.
  EXPECT_EQ(std::get<BlockSet>(sample(dataset, "forgery_4").truth[0].where), (BlockSet{2, 3, {4, 6}}));
  EXPECT_TRUE(sample(dataset, "forgery_5").has_truth);
  EXPECT_TRUE(sample(dataset, "forgery_5").truth.empty());

  const Sample& pair = sample(dataset, "duplication_3");
  EXPECT_EQ(pair.images.size(), 2u);
  EXPECT_EQ(attribute(pair, kOperationsAttribute), "3");
  EXPECT_THAT(std::get<Pair>(pair.truth[0].where).operations,
              ElementsAre("scaling", "rotated", "parameter-modified"));

  const Sample& text = sample(dataset, "consistency_1");
  EXPECT_EQ(text.truth[0].type, "numerical_inconsistency");
  EXPECT_EQ(std::get<TextSpan>(text.truth[0].where), (TextSpan{"related_sentences", "Batch A gave 48 mg,"}));
}

TEST(ThemisSamples, FieldsNobodyKnowsSurvive) {
  const Dataset dataset = read_samples(kSmall / "duplication.json", {}).value();
  ASSERT_EQ(dataset.samples[0].unknown.raw.size(), 1u);
  EXPECT_EQ(dataset.samples[0].unknown.raw[0],
            (std::pair<std::string, std::string>("duplication_ratio", "0.5")));
}

TEST(ThemisSamples, AsReleasedKeepsTheDefectsAndNamesThem) {
  const Dataset dataset = read_samples(kSmall, {}).value();
  EXPECT_THAT(passage(sample(dataset, "consistency_3"), "related_sentences"), HasSubstr("48 mg"));
  const std::string notes = join(dataset.notes, "\n");
  EXPECT_THAT(notes, HasSubstr("2 questions whose truth is \"consistent\""));
  EXPECT_THAT(notes, HasSubstr("2 tampered sentences are listed under the part"));
  EXPECT_THAT(notes, HasSubstr("1 sentences are listed as tampered but equal"));
  EXPECT_THAT(notes, HasSubstr("left as released"));
}

TEST(ThemisSamples, RepairPutsTheOriginalTextBackIntoConsistentTwinsOnly) {
  const Dataset dataset = read_samples(kSmall, {{"repair", "true"}}).value();
  EXPECT_THAT(passage(sample(dataset, "consistency_3"), "related_sentences"), HasSubstr("24 mg"));
  EXPECT_THAT(passage(sample(dataset, "consistency_4"), "related_sentences"), HasSubstr("grew faster"));
  EXPECT_THAT(passage(sample(dataset, "consistency_1"), "related_sentences"), HasSubstr("48 mg"));
  // The sentence that equals its original is gone, the other one has moved to where it stands.
  const Sample& trend = sample(dataset, "consistency_2");
  ASSERT_EQ(trend.truth.size(), 1u);
  EXPECT_EQ(std::get<TextSpan>(trend.truth[0].where).part, "related_sentences");
}

TEST(ThemisSamples, RealCasesAreKeptApartByName) {
  TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "forgery.json", file_of(forgery("forgery_1", ""))));
  ASSERT_TRUE(write_file(folder.path() / "real_forgery.json", file_of(forgery("forgery_1", ""))));
  const Dataset dataset = read_samples(folder.path(), {}).value();
  ASSERT_EQ(dataset.samples.size(), 2u);
  EXPECT_EQ(attribute(sample(dataset, "forgery_1"), kDataAttribute), "synthetic");
  EXPECT_EQ(attribute(sample(dataset, "real_forgery_1"), kDataAttribute), "real");
}

TEST(ThemisSamples, OtherJsonInTheFolderIsPassedOverAloud) {
  TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "duplication.json", file_of("")));
  ASSERT_TRUE(write_file(folder.path() / "settings.json", "{\"seed\": 7"));
  ASSERT_TRUE(write_file(folder.path() / "metadata.json", "{}"));  // how a forged set was made: no surprise
  const Dataset dataset = read_samples(folder.path(), {}).value();
  EXPECT_THAT(dataset.notes, ElementsAre(HasSubstr("settings.json")));
}

TEST(ThemisSamples, ItemsWithoutTruthAreKeptAsUnknown) {
  TemporaryFolder folder;
  const std::string blind = R"({"question_id":"q","issue":"forgery","panel_paths":["a.png"]})";
  ASSERT_TRUE(write_file(folder.path() / "forgery.json", file_of(blind)));
  EXPECT_FALSE(read_samples(folder.path(), {}).value().samples[0].has_truth);
}

TEST(ThemisSamples, EveryWrongFileSaysWhatIsWrong) {
  const struct {
    std::string json, message;
  } cases[] = {
      {"", "broken or cut off"},
      {"\xff\xfe", "broken or cut off"},
      {R"({"question":[{"question_id":"a")", "broken or cut off"},
      {file_of("") + "}", "broken or cut off"},
      {"[]", "list named 'question'"},
      {R"({"question":{}})", "list named 'question'"},
      {R"({"question":[7]})", "question 1: it is not an object"},
      {file_of(R"({"issue":"forgery"})"), "'question_id': it is missing"},
      {file_of(R"({"question_id":7})"), "'question_id': it is not a string"},
      {file_of(forgery("a", R"("mask_indices":"1,2")")),
       "question 1 ('a'), field 'mask_indices': it is not a list"},
      {file_of(forgery("a", R"("mask_indices":[1.5])")), "not a whole number"},
      {file_of(forgery("a", R"("mask_indices":[99999999999])")), "out of range"},
      {file_of(forgery("a", R"("mask_indices":[7],"num_blocks":6)")), "block 7 of a grid with 6"},
      {file_of(forgery("a", R"("mask_indices":[0],"num_blocks":6)")), "block 0 of a grid with 6"},
      {file_of(forgery("a", R"("num_blocks":-2)")), "num_blocks is -2"},
      {file_of(forgery("a", R"("num_blocks":4,"mask_caption":"a 2-row by 3-column grid")")),
       "num_blocks says 4"},
      {file_of(forgery("a", R"("has_issue":"yes")")), "neither true nor false"},
      {file_of(forgery("a", R"("has_issue":false)")), "has_issue is false"},
      {file_of(forgery("a", R"("issue":"forgery")")), "'issue': it is there twice"},
      {file_of(forgery("a", "") + "," + forgery("a", "")), "another question in this file has the same id"},
      {file_of(R"({"question_id":"a","issue":"theft","panel_paths":["a"]})"), "issue 'theft' is unknown"},
      {file_of(R"({"question_id":"a","issue":"forgery","panel_paths":[]})"), "no image is named"},
      {file_of(R"({"question_id":"a","issue":"forgery","panel_paths":["a","b"]})"), "names 2 images"},
      {file_of(R"({"question_id":"a","issue":"forgery","panel_paths":["../a"]})"), "leaves the folder"},
      {file_of(R"({"question_id":"a","issue":"forgery","panel_paths":["/etc/x"]})"), "leaves the folder"},
      {file_of(R"({"question_id":"a","issue":"forgery","panel_paths":["a"],"ground_truth":["G"]})"),
       "not one of A to D"},
      {file_of(R"({"question_id":"a","issue":"forgery","panel_paths":["a"],"ground_truth":["A","B"]})"),
       "several letters"},
      {file_of(
           R"({"question_id":"a","issue":"forgery","panel_paths":["a"],"ground_truth":["A"],"sub_issues":["copy-move"]})"),
       "disagree"},
      {file_of(
           R"({"question_id":"a","issue":"forgery","panel_paths":["a"],"ground_truth":["A"],"sub_issues":["x"]})"),
       "unknown name 'x'"},
  };
  for (const auto& [json, message] : cases) EXPECT_THAT(refusal(json), HasSubstr(message)) << json;
}

TEST(ThemisSamples, TheListOfQuestionsMayStandByItself) {
  EXPECT_THAT(
      refusal(R"([{"question_id": "q", "issue": "forgery", "ground_truth": ["D"], "panel_paths": []}])"),
      HasSubstr("no image is named"));
}

TEST(ThemisSamples, AFileNamedAfterItsIssueNeedNotRepeatIt) {
  TemporaryFolder folder;
  const std::string question = R"({"question_id":"q","ground_truth":["A"],"panel_paths":["a.png"]})";
  ASSERT_TRUE(write_file(folder.path() / "my_forgery.json", file_of(question)));
  const auto read = read_samples(folder.path() / "my_forgery.json", {});
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->samples.at(0).truth.at(0).type, "splicing");
  ASSERT_TRUE(write_file(folder.path() / "mine.json", file_of(question)));
  const auto nameless = read_samples(folder.path() / "mine.json", {});
  ASSERT_FALSE(nameless);
  EXPECT_THAT(nameless.error().message(), HasSubstr("no 'issue'"));
}

TEST(ThemisSamples, RepairDropsBlocksOutsideTheGrid) {
  TemporaryFolder folder;
  const auto path = folder.path() / "forgery.json";
  ASSERT_TRUE(write_file(path, file_of(forgery("a", R"("mask_indices":[2,7],"num_blocks":6)"))));
  const Dataset dataset = read_samples(path, {{"repair", "true"}}).value();
  EXPECT_THAT(std::get<BlockSet>(dataset.samples[0].truth[0].where).blocks, ElementsAre(2));
}

TEST(ThemisSamples, MissingPlacesAndOptionsAreErrors) {
  TemporaryFolder folder;
  EXPECT_FALSE(read_samples(folder.path(), {}).has_value());
  EXPECT_FALSE(read_samples(folder.path() / "none.json", {}).has_value());
  EXPECT_THAT(read_samples(kSmall, {{"repiar", "true"}}).error().message(), HasSubstr("'repair'"));
  EXPECT_THAT(read_samples(kSmall, {{"repair", "maybe"}}).error().message(), HasSubstr("maybe"));
}

TEST(ThemisSamples, TheReleasedFilesLoadCompletely) {
  const char* data = std::getenv("AWRY_TEST_DATA");
  if (data == nullptr) GTEST_SKIP() << "AWRY_TEST_DATA is not set";
  const std::filesystem::path folder = std::filesystem::path(data) / "themis";
  const Dataset dataset = read_samples(folder, {}).value();
  std::map<std::string, int> counts;
  for (const Sample& one : dataset.samples) {
    ++counts[fmt::format("{}/{}", attribute(one, kTaskAttribute), attribute(one, kTypeAttribute))];
  }
  const std::map<std::string, int> expected = {
      {"smf-il/splicing", 534},  {"smf-il/copy_move", 92},           {"smf-il/ai_generated", 624},
      {"smf-il/authentic", 273}, {"cmo-i/duplication", 1979},        {"cmo-i/authentic", 100},
      {"cmi-il/authentic", 150}, {"cmi-il/trend_inconsistency", 90}, {"cmi-il/numerical_inconsistency", 60}};
  EXPECT_EQ(counts, expected);
  const std::string notes = join(dataset.notes, "\n");
  EXPECT_THAT(notes, HasSubstr("150 questions whose truth is \"consistent\""));
  EXPECT_THAT(notes, HasSubstr("6 questions mark blocks outside their grid"));
  EXPECT_THAT(notes, HasSubstr("1 questions repeat an earlier one"));
  EXPECT_THAT(notes, HasSubstr("none of the 273 authentic panels has a grid"));
  EXPECT_THAT(std::get<BlockSet>(sample(dataset, "forgery_741").truth[0].where).blocks,
              ElementsAre(1, 2, 3, 4, 5, 6));

  const Dataset repaired = read_samples(folder, {{"repair", "true"}}).value();
  EXPECT_EQ(repaired.samples.size(), 1523u + 2078u + 300u);
  EXPECT_THAT(std::get<BlockSet>(sample(repaired, "forgery_741").truth[0].where).blocks,
              ElementsAre(1, 2, 3, 4));
  // No consistent text still holds what its twin was tampered with.
  for (const Sample& tampered : repaired.samples) {
    if (attribute(tampered, kTaskAttribute) != kConsistency || tampered.truth.empty()) continue;
    for (const Sample& twin : repaired.samples) {
      if (!twin.truth.empty() || twin.images[0].path != tampered.images[0].path) continue;
      for (const Finding& finding : tampered.truth) {
        const auto& span = std::get<TextSpan>(finding.where);
        EXPECT_EQ(passage(twin, span.part).find(span.sentence), std::string::npos) << twin.id;
        EXPECT_NE(passage(tampered, span.part).find(span.sentence), std::string::npos) << tampered.id;
      }
    }
  }
}

}  // namespace
}  // namespace awry::benchmarks::themis
