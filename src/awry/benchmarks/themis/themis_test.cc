// SPDX-License-Identifier: Apache-2.0
// The protocol as a whole: the paper's numbers, the questions, and a dataset answered perfectly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/benchmarks/embedded_files.h"
#include "awry/benchmarks/themis/themis.h"
#include "awry/score/bri.h"

namespace awry::benchmarks::themis {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::filesystem::path kSmall = std::filesystem::path(AWRY_MODULE_DIR) / "themis/testdata/small";

Json published() {
  return parse_json(embedded_file("themis/published.json").value(), "published.json").value();
}

std::vector<double> indices(const Json& table, double lambda) {
  std::vector<std::vector<double>> cohort;
  for (const Json& row : table.at("rows")) {
    std::vector<double>& columns = cohort.emplace_back();
    for (const Json& column : table.at("bri").at("columns"))
      columns.push_back(row.at(column.get<std::string>()).get<double>());
  }
  return score::balanced_robustness(cohort, lambda).value();
}

TEST(ThemisPublished, AllSixteenIndicesOfTableTwoFollowFromItsColumns) {
  const Json table = published();
  const std::vector<double> computed = indices(table, 0.25);
  ASSERT_EQ(computed.size(), 16u);
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const Json& row = table.at("rows").at(i);
    EXPECT_NEAR(100 * computed[i], row.at("bri").get<double>(), 0.02) << row.at("model");
  }
}

TEST(ThemisPublished, AllFourLambdasOfTableEightFollowFromTableTwo) {
  const Json table = published();
  for (const char* lambda : {"0.10", "0.25", "0.30", "0.40"}) {
    const std::vector<double> computed = indices(table, std::atof(lambda));
    for (std::size_t i = 0; i < computed.size(); ++i) {
      const Json& row = table.at("lambda").at(i);
      ASSERT_EQ(row.at("model"), table.at("rows").at(i).at("model"));
      EXPECT_NEAR(100 * computed[i], row.at(lambda).get<double>(), 0.02) << row.at("model") << " " << lambda;
    }
  }
}

TEST(ThemisPublished, AveragesAreTheMeansOfTheThreeTypes) {
  const Json table = published();
  for (const Json& row : table.at("rows")) {
    for (const std::string key : {"id", "loc"}) {
      const double mean =
          (row.at("splicing_" + key).get<double>() + row.at("copy_move_" + key).get<double>() +
           row.at("ai_generated_" + key).get<double>()) /
          3;
      EXPECT_NEAR(row.at("single_mode_" + key).get<double>(), mean, 0.011) << row.at("model") << " " << key;
    }
  }
}

TEST(ThemisQuestions, KeepThePapersOptionsAndForm) {
  const Dataset dataset = read_samples(kSmall, {}).value();
  for (const Sample& sample : dataset.samples) {
    const std::vector<Question> questions = ask(sample, {}).value();
    ASSERT_EQ(questions.size(), 1u);
    const Question& question = questions[0];
    EXPECT_EQ(question.kind, attribute(sample, kTaskAttribute));
    EXPECT_EQ(question.images.size(), sample.images.size());
    EXPECT_THAT(question.prompt, HasSubstr(question.kind == kDuplication ? "<CHOICES>" : "<CHOICE>"));
    EXPECT_THAT(question.prompt, Not(HasSubstr("{mask")));
    EXPECT_THAT(question.prompt, Not(HasSubstr("{figure")));
  }
}

TEST(ThemisQuestions, BracesInACaptionAreNotGaps) {
  const Dataset dataset = read_samples(kSmall, {}).value();
  for (const Sample& sample : dataset.samples) {
    if (sample.id != "consistency_2") continue;
    EXPECT_THAT(ask(sample, {}).value()[0].prompt, HasSubstr("Growth at 37 degrees {in vitro}."));
  }
}

TEST(ThemisQuestions, TheGridNeedNotGiveTheAnswerAway) {
  const Dataset dataset = read_samples(kSmall / "forgery.json", {}).value();
  for (const Sample& sample : dataset.samples) {
    const bool has_grid = !attribute(sample, kGridAttribute).empty();
    const Question released = ask(sample, {}).value()[0];
    EXPECT_EQ(released.prompt.find("[no caption]") == std::string::npos, has_grid) << sample.id;
    const Question fair = ask(sample, {{"grid", "always"}}).value()[0];
    EXPECT_THAT(fair.prompt, Not(HasSubstr("[no caption]"))) << sample.id;
    EXPECT_THAT(fair.prompt, HasSubstr("Blocks are asked for")) << sample.id;
    EXPECT_FALSE(attribute(fair, kGridAttribute).empty()) << sample.id;
  }
}

TEST(ThemisQuestions, VariantsAddStepsOrExamples) {
  const Dataset dataset = read_samples(kSmall, {}).value();
  const Sample pair = read_samples(kSmall / "duplication.json", {}).value().samples.front();
  ASSERT_EQ(attribute(pair, kTaskAttribute), kDuplication);
  EXPECT_THAT(ask(pair, {{"prompt", "cot"}}).value()[0].prompt, HasSubstr("Think in steps"));
  for (const Sample& sample : dataset.samples) {
    EXPECT_THAT(ask(sample, {{"prompt", "few-shot"}}).value()[0].prompt, HasSubstr("Examples of answers"));
  }
}

TEST(ThemisQuestions, UsersMayReplaceTheWording) {
  TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "cmo_i.txt", "Same content? {mask_caption}"));
  const Sample pair = read_samples(kSmall / "duplication.json", {}).value().samples.front();
  const ProtocolOptions own = {{"prompts", folder.path().string()}};
  EXPECT_EQ(ask(pair, own).value()[0].prompt, "Same content? [no caption]");
  ASSERT_TRUE(write_file(folder.path() / "cmo_i.txt", "{nonsense}"));
  EXPECT_THAT(ask(pair, own).error().message(), HasSubstr("{nonsense}"));
}

// The truth itself, said in the protocol's own words.
std::vector<AnsweredSample> answer_with_truth(Dataset dataset) {
  std::vector<AnsweredSample> run;
  for (Sample& sample : dataset.samples) {
    Question question = ask(sample, {}).value()[0];
    const std::string text = phrase(sample, question, {.findings = sample.truth}).value();
    Answer answer = parse(sample, question, {.text = text});
    run.push_back({std::move(sample), {std::move(question)}, {std::move(answer)}});
  }
  return run;
}

void expect_full_marks(const Summary& summary) {
  for (const Metric& metric : summary.metrics) {
    const double wanted = metric.key == "false_alarm_rate" ? 0 : 1;
    EXPECT_DOUBLE_EQ(metric.value, wanted) << metric.group << "/" << metric.key;
    EXPECT_FALSE(metric.missing.has_value());
  }
}

TEST(ThemisProtocol, TheTruthInTheProtocolsOwnWordsGetsFullMarks) {
  const auto summary = score(answer_with_truth(read_samples(kSmall, {}).value()), {}).value();
  EXPECT_EQ(summary.outcomes.of(Outcome::kAnswered), 13u);
  expect_full_marks(summary);
}

TEST(ThemisProtocol, SoItDoesOnTheReleasedFiles) {
  const char* data = std::getenv("AWRY_TEST_DATA");
  if (data == nullptr) GTEST_SKIP() << "AWRY_TEST_DATA is not set";
  const ProtocolOptions options = {{"repair", "true"}, {"resamples", "0"}};
  const auto summary =
      score(answer_with_truth(read_samples(std::filesystem::path(data) / "themis", options).value()), options)
          .value();
  expect_full_marks(summary);
  const auto count = [&](std::string_view group, std::string_view key) {
    for (const Metric& metric : summary.metrics) {
      if (metric.group == group && metric.key == key) return metric.count;
    }
    return std::size_t{0};
  };
  const Json sizes = published().at("denominators");
  for (const char* type : {"splicing", "copy_move", "ai_generated", "text_image_inconsistency"}) {
    EXPECT_EQ(count(type, "id"), sizes.at(type).get<std::size_t>()) << type;
  }
  EXPECT_EQ(count("duplication", "id"), sizes.at("duplication").get<std::size_t>() - 1);  // the repeated pair
}

double bri(const Leaderboard& board, std::string_view model) {
  for (const LeaderboardRow& row : board.rows) {
    if (row.model == model && row.values.front().first == "bri") return row.values.front().second;
  }
  return -1;
}

TEST(ThemisLeaderboard, ShowsThePaperAlone) {
  const Leaderboard board = leaderboard({}, {}).value();
  ASSERT_EQ(board.rows.size(), 16u);
  EXPECT_EQ(board.rows.front().model, "GPT-5");
  EXPECT_EQ(board.rows.back().model, "Gemma 3 27B");
  EXPECT_NEAR(bri(board, "GPT-5"), 56.15, 0.02);
}

TEST(ThemisLeaderboard, PlacesARunAndRecomputesTheIndexForAll) {
  const auto perfect =
      score(answer_with_truth(read_samples(kSmall, {}).value()), {{"resamples", "0"}}).value();
  const std::vector<ScoredRun> runs = {{"mine", perfect}};
  const Leaderboard board = leaderboard(runs, {}).value();
  EXPECT_EQ(board.rows.front().model, "mine");
  EXPECT_NEAR(bri(board, "mine"), 100, 1e-9);
  EXPECT_LT(bri(board, "GPT-5"), 56);
}

TEST(ThemisLeaderboard, TheIndexIsComputedOverAnyCohort) {
  const auto board_of = [](std::string cohort) { return leaderboard({}, {{"cohort", std::move(cohort)}}); };
  // Of two models each column is 0 or 1, so every index is a share of five columns won, less a quarter.
  const Leaderboard two = board_of("gpt-5, Gemma 3 27B").value();
  ASSERT_EQ(two.rows.size(), 2u);
  EXPECT_EQ(two.rows.front().model, "GPT-5");
  EXPECT_NEAR(bri(two, "GPT-5"), 100 * (4.0 / 5 - 0.25), 1e-9);  // Gemma locates forgeries better
  EXPECT_NEAR(bri(two, "Gemma 3 27B"), 100 * (1.0 / 5 - 0.25), 1e-9);
  EXPECT_EQ(board_of("open").value().rows.size(), 7u);
  EXPECT_TRUE(board_of("none").value().rows.empty());
  EXPECT_THAT(board_of("gtp-5").error().message(), HasSubstr("Did you mean 'GPT-5'"));
}

TEST(ThemisLeaderboard, ARunWithoutAllTasksHasNoIndexAndLeavesTheOthersAlone) {
  const auto half =
      score(answer_with_truth(read_samples(kSmall / "forgery.json", {}).value()), {{"resamples", "0"}})
          .value();
  const std::vector<ScoredRun> runs = {{"mine", half}};
  const Leaderboard board = leaderboard(runs, {}).value();
  EXPECT_EQ(bri(board, "mine"), -1);
  EXPECT_NEAR(bri(board, "GPT-5"), 56.15, 0.02);
  EXPECT_THAT(board.notes.front(), HasSubstr("duplication_id"));
}

TEST(ThemisProtocol, IsRegistered) {
  EXPECT_EQ(find_protocol("themis"), &kProtocol);
  EXPECT_EQ(find_protocol("nemesis"), nullptr);
}

}  // namespace
}  // namespace awry::benchmarks::themis
