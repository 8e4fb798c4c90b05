// SPDX-License-Identifier: Apache-2.0
// A generator's scores: hand-worked rows, the paper's tables, and the released rows where they are at hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/benchmarks/embedded_files.h"
#include "awry/benchmarks/magicmirror/generator_scores.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"

namespace awry::benchmarks::magicmirror {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

const Metric& metric(const Summary& summary, std::string_view key) {
  for (const Metric& one : summary.metrics) {
    if (one.key == key) return one;
  }
  ADD_FAILURE() << "no metric " << key;
  static const Metric none;
  return none;
}
double value(const Summary& summary, std::string_view key) {
  return metric(summary, key).value;
}

std::string replace_first(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

LabelSet labels(std::initializer_list<Level2> level2) {
  LabelSet set;
  for (const Level2 one : level2) set.add(one);
  return set;
}

// Five human rows, two animal rows, three object rows; one of them (human) has no valid verdict.
class TenRows : public testing::Test {
 protected:
  static Json prompt(int number, std::string_view subject_class, std::string_view detail) {
    return {{"prompt_t2i", "prompt " + std::to_string(number)},
            {"subject", "it"},
            {"class", subject_class},
            {"detail_class", detail}};
  }
  void add(std::string_view subject_class, std::string_view detail, bool has_subject,
           const std::string& response) {
    Json row = prompt(++count_, subject_class, detail);
    prompts_ += dump_json(row) + "\n";
    row["gen_images"] = Json::array({"x.jpg"});
    row["has_subject"] = has_subject;
    row["response"] = response;
    rows_ += dump_json(row) + "\n";
  }
  static std::string boxed(LabelSet set) { return "<think>.</think>\\boxed{" + verdict_json(set) + "}"; }

  TenRows() {
    add("human", "human_single", true, boxed({}));
    add("human", "human_single", true, boxed(labels({Level2::kHuman})));
    add("human", "human_double", false, boxed(labels({Level2::kInteraction})));  // the subject decides
    add("human", "human_multi", true, boxed(labels({Level2::kInteraction})));
    add("human", "human_multi", false, R"(\boxed{{"Whether Normal": True}})");  // not the released form
    add("animal", "animal_single", true, boxed(labels({Level2::kAnimal, Level2::kHuman})));
    add("animal", "animal_multi", true, boxed(labels({Level2::kOther})));
    add("object", "object_single", true,
        boxed(labels({Level2::kHuman})));  // a human flaw in an object picture
    add("object", "object_multi", true, boxed({}));
    add("object", "object_compo", false, boxed({}));
  }
  std::filesystem::path file(const char* name, const std::string& content) const {
    const auto path = folder_.path() / name;
    EXPECT_TRUE(write_file(path, content).has_value());
    return path;
  }
  Summary score(ProtocolOptions options) const {
    options.try_emplace("resamples", "0");
    const auto summary =
        score_magicbench_files(file("prompts.jsonl", prompts_), file("rows.jsonl", rows_), options);
    EXPECT_TRUE(summary.has_value()) << summary.error().message();
    return summary.value_or(Summary());
  }
  std::string error(const std::string& prompts, const std::string& rows) const {
    const auto summary = score_magicbench_files(file("prompts.jsonl", prompts), file("rows.jsonl", rows), {});
    return summary ? "scored" : summary.error().message();
  }

  int count_ = 0;
  std::string prompts_, rows_;
  TemporaryFolder folder_;
};

TEST_F(TenRows, ScoreLikeTheReleasedScorer) {
  const Summary summary = score({});
  EXPECT_EQ(value(summary, "valid"), 9);
  EXPECT_EQ(value(summary, "total"), 10);
  EXPECT_DOUBLE_EQ(value(summary, "interaction"), 100 * (1 - 1.0 / 9));
  // Human flaws in rows 2, 3, 6 and 8, divided by the four valid human rows.
  EXPECT_DOUBLE_EQ(value(summary, "human"), 0);
  EXPECT_DOUBLE_EQ(value(summary, "animal"), 50);
  EXPECT_DOUBLE_EQ(value(summary, "object"), 100 * (1 - 1.0 / 3));
  // Flawless: rows 1 and 9.
  EXPECT_DOUBLE_EQ(value(summary, "overall"), 100 * (1 - 7.0 / 9));
  EXPECT_DOUBLE_EQ(value(summary, "human_single"), 50);
  EXPECT_DOUBLE_EQ(value(summary, "human_double"), 0);
  EXPECT_DOUBLE_EQ(value(summary, "human_multi"), 100);
  EXPECT_DOUBLE_EQ(value(summary, "animal_single"), 0);
  EXPECT_DOUBLE_EQ(value(summary, "animal_multi"), 100);
  EXPECT_DOUBLE_EQ(value(summary, "object_single"), 100);
  EXPECT_DOUBLE_EQ(value(summary, "object_compo"), 0);
  EXPECT_EQ(metric(summary, "human_multi").group, "detail_class");
  EXPECT_EQ(metric(summary, "human").count, 4u);
}

TEST_F(TenRows, OwnClassLeavesForeignPicturesOut) {
  const Summary summary = score({{"variant", "own-class"}});
  EXPECT_DOUBLE_EQ(value(summary, "human"), 50);  // rows 2 and 3 of four
  EXPECT_DOUBLE_EQ(value(summary, "animal"), 50);
  EXPECT_THAT(metric(summary, "human").signature, HasSubstr("variant:own-class"));
}

TEST_F(TenRows, TolerantReadingTakesTheTenthRow) {
  const Summary summary = score({{"reading", "tolerant"}});
  EXPECT_EQ(value(summary, "valid"), 10);
  EXPECT_DOUBLE_EQ(value(summary, "overall"), 20);
  EXPECT_FALSE(metric(summary, "overall").missing.has_value());
}

TEST_F(TenRows, NumbersCarryIntervalSignatureAndTheRangeOfWhatIsMissing) {
  const Summary summary = score({{"resamples", "200"}});
  for (const char* key : {"interaction", "human", "animal", "object", "overall"}) {
    const Metric& one = metric(summary, key);
    ASSERT_TRUE(one.interval && one.missing) << key;
    EXPECT_LE(one.interval->low, one.value);
    EXPECT_GE(one.interval->high, one.value);
    EXPECT_LE(one.missing->low, one.missing->high);
    EXPECT_THAT(one.signature, AllOf(HasSubstr("variant:released"), HasSubstr("reading:strict")));
  }
  // Row 5 lacks its subject, so that it is flawed at best, and human flawed: the whole range can lie below
  // the value, which leaves the row out.
  EXPECT_DOUBLE_EQ(metric(summary, "overall").missing->high, 20);
  EXPECT_DOUBLE_EQ(metric(summary, "human").missing->high, 0);
  EXPECT_THAT(summary.notes, Contains(HasSubstr("1 of 10 images have no valid verdict")));
}

TEST_F(TenRows, PromptsWithoutARowAreReportedNotScored) {
  prompts_ += dump_json(prompt(11, "object", "object_multi")) + "\n";
  const Summary summary = score({});
  EXPECT_EQ(value(summary, "total"), 10);
  EXPECT_EQ(value(summary, "valid"), 9);
  EXPECT_THAT(summary.notes, Contains(HasSubstr("1 of 11 prompts")));
}

TEST_F(TenRows, SamplesAndFilesScoreAlike) {
  const ProtocolOptions options = {{"resamples", "20"}};
  auto dataset = kMagicBench.read_samples(file("p.jsonl", prompts_), options);
  ASSERT_TRUE(dataset.has_value()) << dataset.error().message();
  const auto answered =
      kMagicBench.read_answers(file("r.jsonl", rows_), std::move(dataset->samples), options);
  ASSERT_TRUE(answered.has_value()) << answered.error().message();
  auto summary = kMagicBench.score(*answered, options);
  ASSERT_TRUE(summary.has_value()) << summary.error().message();
  EXPECT_EQ(summary->scores.size(), 9u);
  summary->scores.clear();
  EXPECT_EQ(*summary, score(options));
}

TEST_F(TenRows, RepliesInOurOwnFormAreReadToo) {
  const auto truth = file("r.jsonl", rows_);
  const auto dataset = kMagicBench.read_samples(truth, {}).value();
  const std::string id = dataset.samples.at(0).id;
  EXPECT_THAT(id, testing::StartsWith("human_single-"));
  for (const std::string& name : {id, id + "/assess"}) {
    const auto replies = file("replies.jsonl", dump_json(Json{{"id", name}, {"reply", boxed({})}}));
    const auto summary = score_magicbench_files(truth, replies, {{"resamples", "0"}});
    ASSERT_TRUE(summary.has_value()) << summary.error().message();
    EXPECT_EQ(value(*summary, "valid"), 1);
    EXPECT_DOUBLE_EQ(value(*summary, "human_single"), 100);
  }
}

TEST_F(TenRows, WrongRowsAreRefusedWithFileAndLine) {
  const std::string first = rows_.substr(0, rows_.find('\n') + 1);
  EXPECT_EQ(error(prompts_, first), "scored");
  EXPECT_THAT(error(prompts_, ""), AllOf(HasSubstr("rows.jsonl"), HasSubstr("the file has none")));
  EXPECT_THAT(error(prompts_, first + first), AllOf(HasSubstr("rows.jsonl"), HasSubstr("line 2")));
  EXPECT_THAT(error(prompts_ + prompts_, first), AllOf(HasSubstr("prompts.jsonl"), HasSubstr("line 11")));
  EXPECT_THAT(error(prompts_, first.substr(0, 60)), AllOf(HasSubstr("line 1"), HasSubstr("cut off")));
  EXPECT_THAT(error(prompts_, replace_first(first, "true,", "\"yes\",")),
              HasSubstr("'has_subject' is a string"));
  EXPECT_THAT(error(prompts_, replace_first(first, "\"has_subject\":true,", "")),
              HasSubstr("subject=assumed"));
  EXPECT_THAT(error(prompts_, replace_first(first, "\"class\":\"human\"", "\"class\":\"animal\"")),
              HasSubstr("that of its prompt is 'human'"));
  EXPECT_THAT(error(R"({"prompt_t2i": "p", "class": "plant"})", ""),
              HasSubstr("neither human, animal nor object"));
  EXPECT_THAT(error(R"({"prompt_t2i": "p"})", ""), AllOf(HasSubstr("line 1"), HasSubstr("class")));
}

TEST_F(TenRows, TheSubjectIsAskedForUnlessSomebodyLooked) {
  auto dataset = kMagicBench.read_samples(file("r.jsonl", rows_), {}).value();
  EXPECT_EQ(kMagicBench.ask(dataset.samples.at(0), {}).value().size(), 1u);
  dataset.samples[0].attributes.erase(kHasSubjectAttribute);
  const auto questions = kMagicBench.ask(dataset.samples[0], {}).value();
  ASSERT_EQ(questions.size(), 2u);
  EXPECT_EQ(questions[0].kind, kSubject);
  EXPECT_THAT(questions[0].prompt, AllOf(HasSubstr("\"it\""), HasSubstr("prompt 1")));

  const auto said = [&](const char* text) { return parse(dataset.samples[0], questions[0], {.text = text}); };
  EXPECT_EQ(said("The hand is cut off.\n\nFinal answer: No").values.at(kHasSubject), 0);
  EXPECT_EQ(said("No part is hidden.\n**Yes**.").values.at(kHasSubject), 1);
  EXPECT_EQ(said("Perhaps.").outcome, Outcome::kUnparsable);

  AnsweredSample answered{dataset.samples[0],
                          questions,
                          {said("No"), parse(dataset.samples[0], questions[1], {.text = boxed({})})}};
  const ProtocolOptions options = {{"resamples", "0"}};
  EXPECT_DOUBLE_EQ(value(kMagicBench.score(std::span(&answered, 1), options).value(), "human"), 0);
  answered.answers[0] = said("Yes");
  EXPECT_DOUBLE_EQ(value(kMagicBench.score(std::span(&answered, 1), options).value(), "human"), 100);
  answered.answers[0] = said("Perhaps");
  EXPECT_DOUBLE_EQ(value(kMagicBench.score(std::span(&answered, 1), options).value(), "valid"), 0);
}

TEST(MagicBenchPublished, ClassScoresNeverExceedTheirDetailClasses) {
  // The sign of the released denominators: foreign flaws lower a class but none of its detail classes.
  // Were both restricted to the class, the animal score would be the mean of its two halves.
  const Json table = parse_json(embedded_file("magicmirror/published.json").value(), "published.json")
                         .value()
                         .at("magicbench");
  ASSERT_EQ(table.at("rows").size(), 14u);
  for (const Json& row : table.at("rows")) {
    const double halves = (row.at("animal_single").get<double>() + row.at("animal_multi").get<double>()) / 2;
    EXPECT_LT(row.at("animal").get<double>(), halves - 2) << row.at("model");
  }
}

TEST(MagicBenchLeaderboard, AgreesWithPeopleAsThePaperSays) {
  const auto board = kMagicBench.leaderboard({}, {}).value();
  ASSERT_EQ(board.rows.size(), 14u);
  EXPECT_EQ(board.rows.front().model, "GPT-image-1");
  const auto agreement = agreement_with_people(board, {{"GPT-image-1", 66.37},
                                                       {"FLUX.1-dev", 63.53},
                                                       {"Seedream3.0", 58.78},
                                                       {"SD3", 51.08},
                                                       {"Janus-pro", 41.78}})
                             .value();
  EXPECT_EQ(agreement.items, 5u);
  EXPECT_NEAR(agreement.pearson, 0.99, 0.005);
  EXPECT_NEAR(agreement.spearman, 1.0, 1e-12);
  EXPECT_THAT(board.notes, Contains(HasSubstr("5 models: Spearman 1.00, Pearson 0.99")));
}

TEST(MagicBenchLeaderboard, RunsAndTheirHumanScoresJoin) {
  TemporaryFolder folder;
  const auto human = folder.path() / "human.json";
  ASSERT_TRUE(write_file(human, R"({"mine": 90})").has_value());
  const Summary summary{
      .protocol = "magicbench",
      .metrics = {{.key = "overall", .value = 70, .count = 8, .signature = "variant:own-class"}}};
  const std::vector<ScoredRun> runs = {{"mine", summary}};
  const auto board = kMagicBench.leaderboard(runs, {{"human", human.string()}}).value();
  EXPECT_EQ(board.rows.front().model, "mine");
  EXPECT_THAT(board.notes, Contains(HasSubstr("6 models")));
  EXPECT_THAT(board.notes, Contains(HasSubstr("mine was not scored with variant:released")));
  ASSERT_TRUE(write_file(human, R"({"mine": "good"})").has_value());
  EXPECT_FALSE(kMagicBench.leaderboard(runs, {{"human", human.string()}}).has_value());
}

class ReleasedRows : public testing::Test {
 protected:
  void SetUp() override {
    const char* data = std::getenv("AWRY_TEST_DATA");
    if (data == nullptr)
      GTEST_SKIP() << "AWRY_TEST_DATA is not set: the released MagicBench rows are not read";
    folder_ = std::filesystem::path(data) / "magicmirror";
    if (!std::filesystem::exists(folder_)) GTEST_SKIP() << "there is no " << folder_;
  }
  std::filesystem::path folder_;
};

TEST_F(ReleasedRows, ScoreAsTheReleasedScorerPrints) {
  // Eight pictures of single humans, all called normal, three of them without the whole subject.
  for (const char* truth : {"sdxl", "subject_prompt800.jsonl"}) {
    const auto summary = score_magicbench_files(folder_ / truth, folder_ / "sdxl", {});
    ASSERT_TRUE(summary.has_value()) << summary.error().message();
    EXPECT_EQ(value(*summary, "total"), 8) << truth;
    EXPECT_EQ(value(*summary, "valid"), 8) << truth;
    EXPECT_DOUBLE_EQ(value(*summary, "interaction"), 100) << truth;
    EXPECT_DOUBLE_EQ(value(*summary, "human"), 62.5) << truth;
    EXPECT_DOUBLE_EQ(value(*summary, "animal"), 0) << truth;
    EXPECT_DOUBLE_EQ(value(*summary, "object"), 0) << truth;
    EXPECT_DOUBLE_EQ(value(*summary, "overall"), 62.5) << truth;
    EXPECT_DOUBLE_EQ(value(*summary, "human_single"), 62.5) << truth;
  }
}

TEST_F(ReleasedRows, AllEightHundredPromptsAreRead) {
  const auto dataset = kMagicBench.read_samples(folder_ / "subject_prompt800.jsonl", {});
  ASSERT_TRUE(dataset.has_value()) << dataset.error().message();
  EXPECT_EQ(dataset->samples.size(), 800u);
  std::map<std::string_view, int> details;
  for (const Sample& sample : dataset->samples) ++details[attribute(sample, kDetailAttribute)];
  ASSERT_EQ(details.size(), kDetailClasses.size());
  for (const DetailClass& detail : kDetailClasses) EXPECT_EQ(details[detail.name], 100) << detail.name;
}

}  // namespace
}  // namespace awry::benchmarks::magicmirror
