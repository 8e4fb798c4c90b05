// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/cli/stored_run.h"
#include "awry/records/json.h"
#include "awry/store/store.h"

namespace awry::cli {
namespace {

Summary summary_of(std::string_view metric, const std::vector<std::pair<std::string, double>>& scores) {
  Summary summary{.protocol = "themis"};
  for (const auto& [sample, value] : scores) {
    summary.scores.push_back({.sample_id = sample, .metric = std::string(metric), .value = value});
  }
  return summary;
}

TEST(CompareSummaries, CountsAndTestsRightAndWrong) {
  // Five samples only the second got right, one only the first: exact McNemar p = 2 (1 + 6) / 64.
  Summary first = summary_of("id", {{"a", 0}, {"b", 0}, {"c", 0}, {"d", 0}, {"e", 0}, {"f", 1}, {"g", 1}});
  Summary second = summary_of("id", {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}, {"f", 0}, {"g", 1}});
  const auto result = compare_summaries(first, second);
  ASSERT_TRUE(result) << result.error().message();
  ASSERT_EQ(result->metrics.size(), 1u);
  const MetricComparison& metric = result->metrics[0];
  EXPECT_EQ(metric.better, 5u);
  EXPECT_EQ(metric.worse, 1u);
  EXPECT_EQ(metric.same, 1u);
  ASSERT_TRUE(metric.mcnemar);
  EXPECT_NEAR(metric.p_value, 14.0 / 64, 1e-12);
  EXPECT_NEAR(metric.paired.difference, 4.0 / 7, 1e-12);
  EXPECT_EQ(result->items.size(), 6u);
}

TEST(CompareSummaries, FlipsSignsForOtherScores) {
  // Three differences of the same sign: of eight sign patterns two are as extreme, so p = 0.25.
  const auto result = compare_summaries(summary_of("loc", {{"a", 0.1}, {"b", 0.2}, {"c", 0.5}}),
                                        summary_of("loc", {{"a", 0.3}, {"b", 0.9}, {"c", 0.6}}));
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->metrics[0].mcnemar);
  EXPECT_NEAR(result->metrics[0].p_value, 0.25, 1e-12);
  ASSERT_EQ(result->items.size(), 3u);
  EXPECT_EQ(result->items[0].sample_id, "b");  // the largest first
  EXPECT_EQ(result->items[2].sample_id, "c");
}

TEST(CompareSummaries, CorrectsForSeveralMetrics) {
  Summary first, second;
  for (const std::string metric : {"x", "y"}) {
    for (int i = 0; i < 6; ++i) {
      first.scores.push_back({.sample_id = std::to_string(i), .metric = metric, .value = 0});
      second.scores.push_back(
          {.sample_id = std::to_string(i), .metric = metric, .value = metric == "x" ? 1. : 0.});
    }
  }
  const auto result = compare_summaries(first, second);
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->metrics[0].p_value, 2.0 / 64, 1e-12);
  EXPECT_NEAR(result->metrics[0].p_holm, 4.0 / 64, 1e-12);
  EXPECT_EQ(result->metrics[1].p_holm, 1);
}

TEST(CompareSummaries, ReportsWhatOnlyOneHas) {
  Summary first = summary_of("id", {{"a", 1}, {"b", 0}, {"n", std::nan("")}});
  Summary second = summary_of("id", {{"b", 1}, {"c", 0}, {"n", 1}});
  second.scores.push_back({.sample_id = "b", .metric = "loc", .value = 0.5});
  const auto result = compare_summaries(first, second);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->only_first, (std::vector<std::string>{"a"}));
  EXPECT_EQ(result->only_second, (std::vector<std::string>{"c"}));
  EXPECT_EQ(result->metrics_only_second, (std::vector<std::string>{"loc"}));
  EXPECT_EQ(result->metrics[0].paired.samples, 1u);
  EXPECT_EQ(result->not_numbers, 1u);
}

TEST(CompareSummaries, RefusesTwoScoresOfOneSampleAndNothingInCommon) {
  const Summary good = summary_of("id", {{"a", 1}});
  EXPECT_EQ(compare_summaries(good, summary_of("id", {{"a", 1}, {"a", 0}})).error().message(),
            "cannot compare runs: the second run has two scores of id for sample 'a'");
  EXPECT_FALSE(compare_summaries(good, summary_of("id", {{"b", 1}})));
  EXPECT_FALSE(compare_summaries(good, summary_of("loc", {{"a", 1}})));
  EXPECT_FALSE(compare_summaries({}, {}));
}

TEST(Obstacles, AreOtherProtocolsAndOtherSignatures) {
  Summary first{.protocol = "themis", .metrics = {{.key = "id", .group = "splicing", .signature = "s|v:1"}}};
  Summary second = first;
  EXPECT_TRUE(obstacles(first, second).empty());
  second.metrics[0].signature = "s|v:2";
  EXPECT_EQ(obstacles(first, second),
            (std::vector<std::string>{"splicing/id was computed as s|v:1 in one and as s|v:2 in the other"}));
  second.protocol = "cave";
  EXPECT_EQ(obstacles(first, second), (std::vector<std::string>{"one is of themis, the other of cave"}));
}

class StoredRuns : public testing::Test {
 protected:
  void SetUp() override {
    auto store = store::open_store(folder_.path() / "awry.db");
    ASSERT_TRUE(store) << store.error().message();
    for (const std::string id :
         {"20260101T000000Z-demo", "20260102T000000Z-demo", "20260103T000000Z-other"}) {
      awry::Run run{
          .id = id, .protocol = "themis", .command = {"awry", "run", "themis", "data"}, .started = id};
      ASSERT_TRUE((*store)->start_run(run));
      const bool finished = !id.starts_with("20260103");
      if (finished) {
        ASSERT_TRUE((*store)->put_summary(id, summary_of("id", {{"a", 1}})));
      }
      run.status = finished ? RunStatus::kFinished : RunStatus::kInterrupted;
      ASSERT_TRUE((*store)->update_run(run));
    }
  }
  std::string found(const std::string& name) {
    const auto run = find_stored_run(folder_.path(), name);
    return run ? run->run.id : run.error().message();
  }
  TemporaryFolder folder_;
};

TEST_F(StoredRuns, AreFoundByIdPartAndAge) {
  EXPECT_EQ(found("20260101T000000Z-demo"), "20260101T000000Z-demo");
  EXPECT_EQ(found("20260101"), "20260101T000000Z-demo");
  EXPECT_EQ(found("latest"), "20260102T000000Z-demo");
  EXPECT_EQ(found("latest~1"), "20260101T000000Z-demo");
}

TEST_F(StoredRuns, SayWhatIsWrong) {
  EXPECT_EQ(found("demo"), "several runs fit 'demo': 20260102T000000Z-demo, 20260101T000000Z-demo");
  EXPECT_EQ(
      found("other"),
      "the run has no scores yet '20260103T000000Z-other': it was interrupted. Finish it with: awry run "
      "themis data");
  EXPECT_TRUE(found("latest~2").ends_with("holds 2 finished runs")) << found("latest~2");
  EXPECT_EQ(found("20260101T000000Z-dmeo"),
            "there is no run '20260101T000000Z-dmeo'. Did you mean '20260101T000000Z-demo'?");
}

TEST_F(StoredRuns, AreNotMadeByLooking) {
  const std::filesystem::path nowhere = folder_.path() / "nowhere";
  EXPECT_FALSE(find_stored_run(nowhere, "latest"));
  EXPECT_FALSE(std::filesystem::exists(nowhere));
}

TEST_F(StoredRuns, AreReadFromAFileOfScores) {
  const std::filesystem::path file = folder_.path() / "qwen 図.json";
  Summary summary = summary_of("id", {{"a", 1}});
  summary.metrics = {{.key = "id", .group = "splicing", .value = 1, .count = 1}};
  ASSERT_TRUE(write_json_file(file, to_json(summary)));
  const auto stored = find_stored_run(folder_.path() / "nowhere", file.string());
  ASSERT_TRUE(stored) << stored.error().message();
  EXPECT_EQ(stored->run.id, "qwen 図.json");
  EXPECT_EQ(stored->run.model, "qwen 図");
  EXPECT_EQ(stored->summary, summary);
  ASSERT_TRUE(write_file(file, R"({"a": 1})"));
  EXPECT_NE(found(file.string()).find("no 'protocol' and 'metrics'"), std::string::npos);
}

TEST_F(StoredRuns, AreReadFromAFolderToo) {
  const std::filesystem::path folder = folder_.path() / "from elsewhere 図";
  std::filesystem::create_directory(folder);
  ASSERT_TRUE(write_json_file(folder / "manifest.json", to_json(awry::Run{.id = "mine"})));
  ASSERT_TRUE(write_json_file(folder / "scores.json", to_json(summary_of("id", {{"a", 1}}))));
  EXPECT_EQ(found(folder.string()), "mine");
  EXPECT_EQ(found((folder / "scores.json").string()), "mine");
  ASSERT_TRUE(write_file(folder / "scores.json", "{\"protocol\": "));
  EXPECT_NE(found(folder.string()).find("scores.json"), std::string::npos);
}

TEST(CompareSummaries, KnowsWhatIsBetterWhenLower) {
  const auto result = compare_summaries(summary_of("cave/ad/fp", {{"a", 2}, {"b", 1}, {"c", 0}}),
                                        summary_of("cave/ad/fp", {{"a", 0}, {"b", 0}, {"c", 1}}));
  ASSERT_TRUE(result);
  const MetricComparison& metric = result->metrics[0];
  EXPECT_TRUE(metric.lower_is_better);
  EXPECT_EQ(metric.better, 2u);
  EXPECT_EQ(metric.worse, 1u);
  EXPECT_NEAR(metric.gain(), 2.0 / 3, 1e-12);
  EXPECT_NEAR(metric.paired.difference, -2.0 / 3, 1e-12);
}

StoredRun judged(const std::string& judge, const std::string& judged_by, const std::string& signature = "") {
  StoredRun stored;
  if (!judge.empty()) stored.run.settings["judge"] = judge;
  if (!judged_by.empty()) stored.run.settings["judged_by"] = judged_by;
  stored.summary.metrics.push_back({.key = "f1", .group = "ad", .signature = signature});
  return stored;
}

TEST(JudgeObstacles, AreOtherJudgesAndNotOtherFingerprints) {
  EXPECT_TRUE(judge_obstacles(judged("", ""), judged("", "")).empty());
  EXPECT_TRUE(judge_obstacles(judged("openai:a", "a-1 (fp_1)"), judged("openai:a", "a-1 (fp_2)")).empty());
  EXPECT_EQ(judge_obstacles(judged("openai:a", ""), judged("openai:b", "")).size(), 1u);
  EXPECT_EQ(judge_obstacles(judged("openai:a", "a-1"), judged("openai:a", "a-2")).size(), 1u);
  EXPECT_EQ(judge_obstacles(judged("openai:a", "a-1"), judged("", "")).size(), 1u);
  // Verdicts from a file have no judge in the run's settings.
  const StoredRun first = judged("", "", "cave/ad|judge:ana|v:1"),
                  second = judged("", "", "cave/ad|judge:bo|v:1");
  EXPECT_EQ(judge_obstacles(first, second).size(), 1u);
  EXPECT_TRUE(obstacles(first.summary, second.summary).empty()) << "that is all they differ in";
}

}  // namespace
}  // namespace awry::cli
