// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/benchmark_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/files.h"
#include "awry/pipeline/four_questions_test.h"
#include "awry/pipeline/inspect_images.h"
#include "awry/store/store.h"

namespace awry::pipeline {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Six small panels in three questions about one panel each, and one question about a pair.
class BenchmarkRun : public ::testing::Test {
 protected:
  void SetUp() override { forge_four_questions(folder_.path() / "data", 192); }
  BenchmarkOptions options(int threads = 2) const {
    return {.name = "test",
            .data = folder_.path() / "data",
            .runs_folder = folder_.path() / "runs",
            .threads = threads};
  }
  fs::path first_panel() const {
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path() / "data" / "forgery")) {
      if (entry.path().extension() == ".png" && entry.path().string().find("mask") == std::string::npos) {
        return entry.path();
      }
    }
    return {};
  }
  TemporaryFolder folder_;
};

TEST_F(BenchmarkRun, AsksOnceAndScoresTheSameTheSecondTime) {
  const BenchmarkResult first = value_or_throw(run_benchmark(options()));
  EXPECT_EQ(first.questions, 4);
  EXPECT_EQ(first.asked, 4);
  EXPECT_EQ(first.reused, 0);
  EXPECT_TRUE(first.failures.empty());
  const BenchmarkResult second = value_or_throw(run_benchmark(options(1)));
  EXPECT_EQ(second.asked, 0);
  EXPECT_EQ(second.reused, 4);
  EXPECT_EQ(first.summary, second.summary);
  EXPECT_NE(first.run.id, second.run.id);
}

TEST_F(BenchmarkRun, LeavesTheFilesThatPeopleRead) {
  const BenchmarkResult result = value_or_throw(run_benchmark(options()));
  for (const char* file : {"manifest.json", "samples.jsonl", "scores.json", "report.html", "replies.jsonl"}) {
    EXPECT_TRUE(fs::exists(result.folder / file)) << file;
  }
  EXPECT_TRUE(fs::exists(folder_.path() / "runs" / "latest" / "report.html"));
}

TEST_F(BenchmarkRun, AsksAgainExactlyWhatWasEdited) {
  value_or_throw(run_benchmark(options()));
  const fs::path panel = first_panel();
  ASSERT_FALSE(panel.empty());
  // Bytes after the end of a PNG change nothing but the file.
  value_or_throw(write_file(panel, value_or_throw(read_file(panel)) + "edited"));
  const BenchmarkResult again = value_or_throw(run_benchmark(options()));
  EXPECT_EQ(again.asked, 1);
  EXPECT_EQ(again.reused, 3);
}

TEST_F(BenchmarkRun, AnUnreadablePanelIsCountedAndStopsNobody) {
  value_or_throw(write_file(first_panel(), "not a picture"));
  const BenchmarkResult result = value_or_throw(run_benchmark(options()));
  EXPECT_EQ(result.summary.outcomes.of(Outcome::kUnreadable), 1);
  EXPECT_EQ(result.summary.outcomes.of(Outcome::kAnswered), 3);
  ASSERT_EQ(result.failures.size(), 1);
  EXPECT_THAT(result.failures[0], HasSubstr(first_panel().filename().string()));
  // Failures are not kept as answers: once repaired, it is asked again.
  const BenchmarkResult again = value_or_throw(run_benchmark(options()));
  EXPECT_EQ(again.asked, 1);
}

TEST_F(BenchmarkRun, ARunThatStoppedEarlyGoesOnUnderTheSameName) {
  BenchmarkResult result = value_or_throw(run_benchmark(options()));
  {
    const auto store = value_or_throw(store::open_store(folder_.path() / "runs" / "awry.db"));
    result.run.status = RunStatus::kInterrupted;
    value_or_throw(store->update_run(result.run));
  }
  EXPECT_EQ(value_or_throw(run_benchmark(options())).run.id, result.run.id);
  // It is finished now, so the next one is a new run.
  EXPECT_NE(value_or_throw(run_benchmark(options())).run.id, result.run.id);
}

TEST_F(BenchmarkRun, StoppedBeforeTheFirstQuestionItSaysSo) {
  CancelToken stop;
  stop.request();
  BenchmarkOptions cancelled = options();
  cancelled.cancel = &stop;
  EXPECT_EQ(run_benchmark(cancelled).error().kind, ErrorKind::kCancelled);
}

TEST_F(BenchmarkRun, RefusesWhatItDoesNotKnow) {
  BenchmarkOptions wrong = options();
  wrong.protocol = "thermis";
  EXPECT_EQ(run_benchmark(wrong).error().kind, ErrorKind::kUsage);
  wrong = options();
  wrong.model = "oracle";
  EXPECT_EQ(run_benchmark(wrong).error().kind, ErrorKind::kUsage);
  wrong = options();
  wrong.data = folder_.path() / "nowhere";
  EXPECT_FALSE(run_benchmark(wrong));
}

TEST_F(BenchmarkRun, InspectingReportsEveryImageInItsOrder) {
  const std::string good = first_panel().string(), bad = (folder_.path() / "bad.png").string();
  value_or_throw(write_file(bad, ""));
  const std::vector<Sample> samples = {{.id = "bad", .images = {{.path = bad}}},
                                       {.id = "good", .images = {{.path = good}}}};
  const auto inspected = inspect_images(samples, {.threads = 2});
  ASSERT_EQ(inspected.size(), 2);
  EXPECT_EQ(inspected[0].sample.id, "bad");
  ASSERT_TRUE(inspected[0].error);
  EXPECT_THAT(inspected[0].error->message(), HasSubstr("bad.png"));
  EXPECT_FALSE(inspected[1].error);
}

}  // namespace
}  // namespace awry::pipeline
