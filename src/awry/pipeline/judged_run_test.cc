// SPDX-License-Identifier: Apache-2.0
// Whole CAVE runs with a model and a judge behind scripted endpoints: later turns, judging, judging again.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "awry/base/files.h"
#include "awry/benchmarks/find_metric.h"
#include "awry/imaging/encode.h"
#include "awry/inspectors/vlm/testing/scripts.h"
#include "awry/pipeline/benchmark_run.h"
#include "awry/pipeline/estimate.h"
#include "awry/pipeline/rejudge.h"
#include "awry/store/store.h"

namespace awry::pipeline {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using inspectors::vlm::testing::answer_protocols;
using inspectors::vlm::testing::completion;
using inspectors::vlm::testing::ReceivedRequest;
using inspectors::vlm::testing::ScriptedServer;

ScriptedServer judge_that_says(const char* word) {
  return ScriptedServer([word](const ReceivedRequest&) { return completion(word); });
}

class JudgedRun : public ::testing::Test {
 protected:
  void SetUp() override {
    value_or_throw(imaging::write_image(folder_.path() / "hall.png", imaging::Image(64, 48, 3, 128)));
    value_or_throw(write_file(folder_.path() / "annotations.json", R"([{"id": "hall", "image": "hall.png",
      "anomalies": [{"description": "a clock runs backwards", "explanation": "clocks run forwards",
                     "category": "Entity Attribute"}]}])"));
  }

  BenchmarkOptions options(const ScriptedServer& model, const ScriptedServer* judge,
                           benchmarks::ProtocolOptions switches = {{"tasks", "ad"}}) const {
    switches["resamples"] = "0";
    BenchmarkOptions options{.name = "test",
                             .protocol = "cave",
                             .data = folder_.path(),
                             .model = "openai:scripted",
                             .protocol_options = std::move(switches),
                             .runs_folder = folder_.path() / "runs",
                             .threads = 2};
    options.endpoint = reached_at(model);
    if (judge != nullptr) options.judge = "openai:eye", options.judge_endpoint = reached_at(*judge);
    return options;
  }
  static EndpointSettings reached_at(const ScriptedServer& server) {
    EndpointSettings settings;
    settings.endpoints.base_urls = {server.base_url()};
    settings.environment = [](std::string_view) -> std::optional<std::string> { return "sk-test"; };
    settings.client.pacing.first_backoff = 5ms;
    return settings;
  }
  static double recall(const BenchmarkResult& result) {
    const Metric* metric = benchmarks::find_metric(result.summary, "ad", "recall");
    return metric == nullptr ? -1 : metric->value;
  }
  TemporaryFolder folder_;
};

TEST_F(JudgedRun, StoresWhoJudgedAndCanBeJudgedByAnother) {
  const ScriptedServer model(answer_protocols), kind = judge_that_says("Yes."),
                                                strict = judge_that_says("No.");
  const BenchmarkResult first = value_or_throw(run_benchmark(options(model, &kind)));
  EXPECT_DOUBLE_EQ(recall(first), 1);
  EXPECT_EQ(first.run.settings.at("judge"), "openai:eye");
  EXPECT_EQ(first.run.settings.at("judged_by"), "scripted-2026-01-01 (fp_scripted)");
  EXPECT_EQ(kind.counts().requests, 1u);
  const std::size_t asked = model.counts().requests;

  BenchmarkOptions again = options(model, &strict);
  again.judge = "openai:stern";
  const BenchmarkResult second = value_or_throw(rejudge(first.folder, again));
  EXPECT_EQ(model.counts().requests, asked) << "the model is not asked again";
  EXPECT_EQ(strict.counts().requests, 1u);
  EXPECT_DOUBLE_EQ(recall(second), 0);
  EXPECT_NE(second.run.id, first.run.id);
  EXPECT_EQ(second.run.model, first.run.model);
  EXPECT_EQ(second.run.settings.at("judge"), "openai:stern");
  EXPECT_EQ(second.run.settings.at("rejudged"), first.run.id);
  EXPECT_TRUE(fs::exists(second.folder / "report.html"));

  const auto store = value_or_throw(store::open_store(folder_.path() / "runs" / "awry.db"));
  std::size_t by_judge = 0;
  value_or_throw(store->replies_of(second.run.id, [&](const Reply& reply) -> Result<void> {
    if (reply.model == "openai:stern") {
      ++by_judge;
      EXPECT_EQ(reply.returned_model, "scripted-2026-01-01");
      EXPECT_EQ(reply.fingerprint, "fp_scripted");
    }
    return {};
  }));
  EXPECT_EQ(by_judge, 1u);

  // The second judge's replies are known now.
  EXPECT_EQ(value_or_throw(rejudge(first.folder, again)).asked, 0u);
  EXPECT_EQ(strict.counts().requests, 1u);
}

TEST_F(JudgedRun, WithoutAJudgeNobodyIsAskedAndJudgingComesLater) {
  const ScriptedServer model(answer_protocols), kind = judge_that_says("Yes.");
  const BenchmarkResult unjudged = value_or_throw(run_benchmark(options(model, nullptr)));
  EXPECT_EQ(unjudged.questions, 1u);
  EXPECT_EQ(unjudged.unjudged, 1u);
  EXPECT_TRUE(unjudged.failures.empty());
  EXPECT_EQ(unjudged.summary.outcomes.of(Outcome::kJudgeFailed), 1u);
  const BenchmarkResult judged = value_or_throw(rejudge(unjudged.folder, options(model, &kind)));
  EXPECT_DOUBLE_EQ(recall(judged), 1);
}

TEST_F(JudgedRun, ReplaysARejudgedRunToTheSameBytes) {
  BenchmarkResult judged;
  BenchmarkOptions replay;
  {
    const ScriptedServer model(answer_protocols), kind = judge_that_says("Yes."),
                                                  strict = judge_that_says("No.");
    const BenchmarkResult first = value_or_throw(run_benchmark(options(model, &kind)));
    judged = value_or_throw(rejudge(first.folder, options(model, &strict)));
    replay = options(model, nullptr);
  }
  replay.model = "replay:" + judged.folder.string();
  replay.runs_folder = folder_.path() / "elsewhere";
  const BenchmarkResult replayed = value_or_throw(run_benchmark(replay));
  for (const char* file : {"report.html", "scores.json", "samples.jsonl", "replies.jsonl"}) {
    EXPECT_TRUE(value_or_throw(read_file(judged.folder / file)) ==
                value_or_throw(read_file(replayed.folder / file)))
        << file;
  }
  EXPECT_EQ(recall(replayed), recall(judged));
  // Another judge is another command.
  replay.judge = "openai:eye";
  EXPECT_EQ(run_benchmark(replay).error().kind, ErrorKind::kUsage);
}

TEST_F(JudgedRun, RefusesToJudgeAnswersAboutAnImageThatChanged) {
  const ScriptedServer model(answer_protocols), kind = judge_that_says("Yes.");
  const BenchmarkResult first = value_or_throw(run_benchmark(options(model, nullptr)));
  value_or_throw(imaging::write_image(folder_.path() / "hall.png", imaging::Image(64, 48, 3, 7)));
  EXPECT_FALSE(rejudge(first.folder, options(model, &kind)).has_value());
  EXPECT_EQ(kind.counts().requests, 0u);
}

TEST_F(JudgedRun, DraftsAreWarmAndMergedInALaterRound) {
  std::atomic<int> warm = 0, merged = 0;
  const ScriptedServer model([&](const ReceivedRequest& request) {
    const bool is_warm = request.body.find("\"temperature\":0.5") != std::string::npos;
    ++(is_warm ? warm : merged);
    return answer_protocols(request);
  });
  const ScriptedServer kind = judge_that_says("Yes.");
  BenchmarkOptions consistent = options(model, &kind, {{"tasks", "ad"}, {"prompt", "consistency"}});
  consistent.endpoint.model_args = {"temperature=0"};
  const BenchmarkResult result = value_or_throw(run_benchmark(consistent));
  EXPECT_EQ(warm, 3);
  EXPECT_EQ(merged, 1);
  EXPECT_EQ(result.questions, 5u) << "three drafts, their merging, one verdict";
  EXPECT_DOUBLE_EQ(recall(result), 1);
}

TEST_F(JudgedRun, TheBudgetHoldsForModelAndJudgeTogether) {
  const ScriptedServer model(answer_protocols), kind = judge_that_says("Yes.");
  BenchmarkOptions frugal = options(model, &kind);
  frugal.budget.max_calls = 1;
  EXPECT_TRUE(value_or_throw(run_benchmark(frugal)).budget_used_up);
  EXPECT_EQ(kind.counts().requests, 0u);
  frugal.budget.max_calls = 2;
  EXPECT_DOUBLE_EQ(recall(value_or_throw(run_benchmark(frugal))), 1);
  EXPECT_EQ(model.counts().requests, 1u);
}

// The scripted model finds what is there, as the estimate supposes: both must come to the same questions.
TEST_F(JudgedRun, TheEstimateCountsLaterTurnsAndTheJudge) {
  const ScriptedServer model(answer_protocols), kind = judge_that_says("Yes.");
  struct Way {
    const char* prompt;
    std::size_t by_model;
  };
  for (const Way& way : {Way{"vanilla", 2}, Way{"multi-turn", 4}, Way{"consistency", 5}}) {
    BenchmarkOptions asked = options(model, &kind, {{"tasks", "ad,ae"}, {"prompt", way.prompt}});
    asked.runs_folder /= way.prompt;  // the judge is asked the same each time, and would be known
    const std::size_t before = kind.counts().requests;
    const Estimate estimate = value_or_throw(estimate_benchmark(asked));
    EXPECT_EQ(kind.counts().requests, before) << "nobody is asked";
    EXPECT_EQ(estimate.model.questions, way.by_model) << way.prompt;
    EXPECT_EQ(estimate.judge.questions, 2u) << way.prompt << ": one description, one explanation";
    EXPECT_GT(estimate.judge.usage.input_tokens, 2 * 255) << "the judge sees the image";
    EXPECT_EQ(value_or_throw(run_benchmark(asked)).questions, way.by_model + 2) << way.prompt;

    const Estimate rest = value_or_throw(estimate_benchmark(asked));
    EXPECT_EQ(rest.model.known, way.by_model);
    EXPECT_EQ(rest.judge.known, 2u);
    EXPECT_EQ(rest.judge.usage.input_tokens, 0);
  }
  const BenchmarkResult first = value_or_throw(run_benchmark(options(model, nullptr)));
  const std::size_t before = kind.counts().requests;
  BenchmarkOptions again = options(model, &kind);
  again.judge = "openai:stern";
  const Estimate judging = value_or_throw(estimate_rejudging(first.folder, again));
  EXPECT_EQ(judging.model.known, 1u);
  EXPECT_EQ(judging.judge.questions, 1u);
  EXPECT_EQ(judging.judge.known, 0u);
  EXPECT_EQ(kind.counts().requests, before);

  const Estimate unjudged = value_or_throw(estimate_benchmark(options(model, nullptr)));
  EXPECT_EQ(unjudged.judge.questions, 0u);
  EXPECT_EQ(unjudged.unjudged, 1u);
}

TEST_F(JudgedRun, AJudgeThatMumblesIsAskedOnceMore) {
  std::atomic<int> asked = 0;
  const ScriptedServer model(answer_protocols);
  const ScriptedServer hesitant(
      [&](const ReceivedRequest&) { return completion(++asked == 1 ? "Hm." : "Yes."); });
  BenchmarkOptions patient = options(model, &hesitant);
  patient.reask = 1;
  EXPECT_DOUBLE_EQ(recall(value_or_throw(run_benchmark(patient))), 1);
  EXPECT_EQ(asked, 2);
}

TEST_F(JudgedRun, OwnPromptsAreSentAndRecorded) {
  std::atomic<bool> saw_mine = false;
  const ScriptedServer model([&](const ReceivedRequest& request) {
    if (request.body.find("Quid mirum est") != std::string::npos) saw_mine = true;
    return completion("{}");
  });
  const BenchmarkResult ours = value_or_throw(run_benchmark(options(model, nullptr)));
  value_or_throw(make_folder(folder_.path() / "mine"));
  value_or_throw(write_file(folder_.path() / "mine" / "ad.txt", "Quid mirum est?{reasoning}"));
  const BenchmarkResult mine = value_or_throw(run_benchmark(
      options(model, nullptr, {{"tasks", "ad"}, {"prompts", (folder_.path() / "mine").string()}})));
  EXPECT_TRUE(saw_mine);
  EXPECT_EQ(mine.asked, 1u) << "another wording is another question";
  EXPECT_NE(mine.run.settings.at("prompts_sha256"), ours.run.settings.at("prompts_sha256"));
}

TEST_F(JudgedRun, MarksComeFromAnInspector) {
  const ScriptedServer model(answer_protocols);
  BenchmarkOptions marked = options(model, nullptr, {{"tasks", "ad"}, {"prompt", "som"}});
  marked.marks_from = "forensics";
  EXPECT_EQ(value_or_throw(run_benchmark(marked)).run.settings.at("marks_from"), "forensics");
  EXPECT_TRUE(fs::exists(folder_.path() / "runs" / "marks"));
  marked.marks_from = "oracle";
  EXPECT_EQ(run_benchmark(marked).error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace awry::pipeline
