// SPDX-License-Identifier: Apache-2.0
// Whole runs against a scripted endpoint, over real HTTP.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "awry/base/files.h"
#include "awry/inspectors/vlm/testing/scripts.h"
#include "awry/pipeline/batch_model.h"
#include "awry/pipeline/benchmark_run.h"
#include "awry/pipeline/estimate.h"
#include "awry/pipeline/four_questions_test.h"
#include "awry/pipeline/perturbation_sweep.h"

namespace awry::pipeline {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using inspectors::vlm::testing::answer_protocols;
using inspectors::vlm::testing::completion;
using inspectors::vlm::testing::faulty;
using inspectors::vlm::testing::ReceivedRequest;
using inspectors::vlm::testing::ScriptedReply;
using inspectors::vlm::testing::ScriptedServer;

constexpr const char* kKey = "sk-secret-1234567890abcdef";

ScriptedReply unsure(const ReceivedRequest&) {
  return completion("<answer>unsure</answer>");
}

class EndpointRun : public ::testing::Test {
 protected:
  void SetUp() override { forge_four_questions(folder_.path() / "data", 128); }
  BenchmarkOptions options(const ScriptedServer& server) const {
    BenchmarkOptions options{.name = "test",
                             .data = folder_.path() / "data",
                             .model = "openai:scripted",
                             .runs_folder = folder_.path() / "runs",
                             .threads = 2};
    options.endpoint.endpoints.base_urls = {server.base_url()};
    options.endpoint.environment = [](std::string_view name) -> std::optional<std::string> {
      if (name == "OPENAI_API_KEY") return kKey;
      return std::nullopt;
    };
    options.endpoint.client.pacing.first_backoff = 5ms;
    options.endpoint.client.pacing.max_backoff = 20ms;
    return options;
  }
  TemporaryFolder folder_;
};

TEST_F(EndpointRun, AsksEachQuestionOnceAndNeverAgain) {
  const ScriptedServer server(unsure);
  const BenchmarkResult first = value_or_throw(run_benchmark(options(server)));
  EXPECT_EQ(first.asked, 4u);
  EXPECT_EQ(first.spent.calls, 4);
  EXPECT_EQ(first.spent.input_tokens, 400) << "the scripted server reports 100 for each";
  const BenchmarkResult second = value_or_throw(run_benchmark(options(server)));
  EXPECT_EQ(second.reused, 4u);
  EXPECT_EQ(server.counts().requests, 4u);
  BenchmarkOptions warmer = options(server);
  warmer.endpoint.model_args = {"temperature=1"};
  EXPECT_EQ(value_or_throw(run_benchmark(warmer)).asked, 4u) << "other parameters are other questions";
}

TEST_F(EndpointRun, StopsAtTheBudgetAndGoesOnWithAHigherOne) {
  const ScriptedServer server(unsure);
  BenchmarkOptions frugal = options(server);
  frugal.budget.max_calls = 3;
  const BenchmarkResult stopped = value_or_throw(run_benchmark(frugal));
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_TRUE(stopped.budget_used_up);
  EXPECT_EQ(server.counts().requests, 3u);
  EXPECT_TRUE(value_or_throw(run_benchmark(frugal)).budget_used_up) << "the budget is that of the whole run";
  EXPECT_EQ(server.counts().requests, 3u);
  frugal.budget.max_calls = 6;
  const BenchmarkResult finished = value_or_throw(run_benchmark(frugal));
  EXPECT_FALSE(finished.interrupted);
  EXPECT_EQ(finished.run.id, stopped.run.id);
  EXPECT_EQ(server.counts().requests, 4u);
}

TEST_F(EndpointRun, CountsMoneyByThePriceList) {
  const ScriptedServer server(unsure);
  BenchmarkOptions paid = options(server);
  paid.budget.max_cost_usd = 100;
  EXPECT_EQ(run_benchmark(paid).error().kind, ErrorKind::kUsage) << "nobody knows the price";
  paid.prices.models["scripted"] = {.input_usd_per_million = 1e4, .output_usd_per_million = 1e5};
  // 100 tokens in and 7 out: 1 dollar and 0.7 dollars.
  EXPECT_NEAR(value_or_throw(run_benchmark(paid)).spent.cost_usd, 4 * 1.7, 1e-9);
}

TEST_F(EndpointRun, ReplaysToTheSameBytesWithoutNetwork) {
  BenchmarkOptions again;
  BenchmarkResult first;
  {
    const ScriptedServer server(unsure);
    first = value_or_throw(run_benchmark(options(server)));
    again = options(server);
  }
  again.model = "replay:" + (first.folder / "replies.jsonl").string();
  again.runs_folder = folder_.path() / "elsewhere";
  const BenchmarkResult replayed = value_or_throw(run_benchmark(again));
  for (const char* file : {"report.html", "scores.json", "samples.jsonl", "replies.jsonl"}) {
    EXPECT_TRUE(value_or_throw(read_file(first.folder / file)) ==
                value_or_throw(read_file(replayed.folder / file)))
        << file;
  }
}

TEST_F(EndpointRun, EveryQuestionEndsAnsweredOrTypedWhenAThirdOfAllRequestsFail) {
  const ScriptedServer server(faulty(0.3, 11, unsure));
  BenchmarkOptions impatient = options(server);
  impatient.endpoint.client.attempt_timeout = 1s;  // some requests are never answered
  const BenchmarkResult result = value_or_throw(run_benchmark(impatient));
  EXPECT_FALSE(result.interrupted);
  EXPECT_EQ(result.summary.outcomes.total(), 4u);
}

TEST_F(EndpointRun, TheKeyIsNeverKept) {
  const ScriptedServer server([](const ReceivedRequest& request) -> ScriptedReply {
    return completion("you said " + request.headers.at("authorization"));
  });
  const BenchmarkResult result = value_or_throw(run_benchmark(options(server)));
  EXPECT_EQ(result.asked, 4u);
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path() / "runs")) {
    if (!entry.is_regular_file()) continue;
    EXPECT_TRUE(value_or_throw(read_file(entry.path())).find(kKey) == std::string::npos) << entry.path();
  }
}

TEST_F(EndpointRun, ABatchIsWrittenAndItsResultsAreReadInAnyOrder) {
  const ScriptedServer server(unsure);
  BenchmarkOptions batch = options(server);
  batch.model = "batch:scripted";
  batch.endpoint.batch_folder = folder_.path() / "batch";
  EXPECT_TRUE(value_or_throw(run_benchmark(batch)).interrupted);
  const std::string requests = value_or_throw(read_file(folder_.path() / "batch" / "requests-001.jsonl"));
  EXPECT_EQ(std::ranges::count(requests, '\n'), 4);
  // The results come last question first.
  std::string results;
  for (std::size_t at = 0; (at = requests.find("{\"custom_id\":\"", at)) != std::string::npos; at += 14) {
    const std::string key = requests.substr(at + 14, requests.find('"', at + 14) - at - 14);
    results = "{\"custom_id\":\"" + key +
              "\",\"response\":{\"status_code\":200,\"body\":" + completion("x").body + "}}\n" + results;
  }
  value_or_throw(write_file(folder_.path() / "batch" / "results" / "out.jsonl", results));
  const BenchmarkResult finished = value_or_throw(run_benchmark(batch));
  EXPECT_FALSE(finished.interrupted);
  EXPECT_EQ(finished.asked, 4u);
  EXPECT_EQ(server.counts().requests, 0u);
}

TEST_F(EndpointRun, WhatFailedInABatchIsWrittenAgainOnRequest) {
  const ScriptedServer server(unsure);
  EndpointSettings settings = options(server).endpoint;
  settings.batch_folder = folder_.path() / "batch";
  fs::create_directories(settings.batch_folder / "results");
  value_or_throw(write_file(settings.batch_folder / "results" / "out.jsonl",
                            R"({"custom_id":"key","response":null,"error":{"code":"batch_expired"}})"));
  const Sample sample{.id = "s"};
  for (const bool again : {false, true}) {
    settings.batch_again = again;
    const auto model = value_or_throw(make_batch_model("scripted", settings));
    model->begin(sample, {.id = "s/1", .prompt = "?"}, "key", [&](const Reply& reply) {
      EXPECT_EQ(reply.outcome, Outcome::kTransport);
      EXPECT_EQ(was_not_asked(reply), again);
    });
    EXPECT_EQ(fs::exists(settings.batch_folder / "requests-001.jsonl"), again);
  }
}

TEST_F(EndpointRun, NoBatchFileIsLargerThanTheServiceTakes) {
  const ScriptedServer server(unsure);
  EndpointSettings settings = options(server).endpoint;
  settings.batch_folder = folder_.path() / "batch";
  const Sample sample{.id = "s"};
  constexpr std::size_t kMaxBytes = 5000;
  {
    const auto model = value_or_throw(make_batch_model("scripted", settings, {.max_bytes = kMaxBytes}));
    for (int i = 0; i < 10; ++i) {
      // More than half of a file each second time, so that no two of these share one.
      const Question question{.id = fmt::format("s/{}", i),
                              .prompt = std::string(i % 2 == 0 ? 2600 : 900, 'x')};
      model->begin(sample, question, fmt::format("key{}", i), [](const Reply&) {});
    }
  }
  std::size_t files = 0, lines = 0;
  for (const auto& entry : fs::directory_iterator(settings.batch_folder)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    EXPECT_LE(entry.file_size(), kMaxBytes);
    lines += static_cast<std::size_t>(std::ranges::count(value_or_throw(read_file(entry.path())), '\n'));
  }
  EXPECT_EQ(lines, 10u);
  EXPECT_EQ(files, 5u) << "a long and a short one fit, and a second long one does not";
}

TEST_F(EndpointRun, BatchFilesAreSplitAndResultsMayComeInSeveral) {
  const ScriptedServer server(unsure);
  EndpointSettings settings = options(server).endpoint;
  settings.batch_folder = folder_.path() / "batch";
  const Sample sample{.id = "s"};
  const auto ask_four = [&] {
    const auto model = value_or_throw(make_batch_model("scripted", settings, {.max_lines = 3}));
    std::size_t answered = 0;
    for (int i = 0; i < 4; ++i) {
      const Question question{.id = fmt::format("s/{}", i), .prompt = "?"};
      model->begin(sample, question, fmt::format("key{}", i),
                   [&](const Reply& reply) { answered += reply.outcome == Outcome::kAnswered; });
    }
    return answered;
  };
  EXPECT_EQ(ask_four(), 0u);
  const fs::path second = folder_.path() / "batch" / "requests-002.jsonl";
  EXPECT_EQ(std::ranges::count(value_or_throw(read_file(second)), '\n'), 1);
  const auto result = [&](int key, const std::string& body, int status) {
    return fmt::format(R"({{"custom_id":"key{}","response":{{"status_code":{},"body":{}}}}})", key, status,
                       body) +
           "\n";
  };
  const fs::path results = folder_.path() / "batch" / "results";
  // The first file answers a question that a later one says failed: the answer counts.
  value_or_throw(write_file(results / "a.jsonl",
                            result(3, completion("x").body, 200) + result(1, completion("x").body, 200)));
  value_or_throw(write_file(results / "b.jsonl", result(1, "{}", 500)));
  EXPECT_EQ(ask_four(), 2u);
  EXPECT_FALSE(fs::exists(second)) << "the two that are left fit into one file";
  value_or_throw(write_file(results / "c.jsonl", "{\"response\": {}}\n"));
  EXPECT_FALSE(make_batch_model("scripted", settings).has_value()) << "a line that belongs to nobody";
}

TEST_F(EndpointRun, WhatCannotBeReadIsAskedOnceMoreAndOnlyWhenWanted) {
  std::atomic<int> asked = 0;
  const ScriptedServer server([&](const ReceivedRequest& request) {
    return ++asked <= 4 ? completion("mumble") : answer_protocols(request);
  });
  BenchmarkOptions patient = options(server);
  patient.reask = 1;
  const BenchmarkResult result = value_or_throw(run_benchmark(patient));
  EXPECT_EQ(result.summary.outcomes.of(Outcome::kAnswered), 4u);
  EXPECT_EQ(asked, 8);
}

TEST_F(EndpointRun, RetryErrorsAsksAgainOnlyWhatIsNoAnswer) {
  std::atomic<bool> willing = false;
  std::atomic<int> asked = 0;
  const ScriptedServer server([&](const ReceivedRequest& request) -> ScriptedReply {
    if (++asked == 1 || willing) return answer_protocols(request);
    return completion("", "content_filter");
  });
  BenchmarkOptions once = options(server);
  once.threads = 1;
  EXPECT_EQ(value_or_throw(run_benchmark(once)).summary.outcomes.of(Outcome::kRefused), 3u);
  willing = true;
  EXPECT_EQ(value_or_throw(run_benchmark(once)).asked, 0u) << "a refusal is a reply";
  once.retry_errors = true;
  const BenchmarkResult retried = value_or_throw(run_benchmark(once));
  EXPECT_EQ(retried.asked, 3u);
  EXPECT_EQ(retried.summary.outcomes.of(Outcome::kAnswered), 4u);
}

TEST_F(EndpointRun, ASweepReusesTheCleanRunAndDrawsCurves) {
  const ScriptedServer server(answer_protocols);
  value_or_throw(run_benchmark(options(server)));
  const std::vector<std::string> wanted = {"jpeg:50", "scale:0.5"};
  const auto damages = value_or_throw(parse_sweep(wanted));
  const SweepResult sweep = value_or_throw(run_sweep(options(server), damages));
  EXPECT_EQ(sweep.clean.asked, 0u);
  ASSERT_EQ(sweep.damaged.size(), 2u);
  EXPECT_EQ(sweep.damaged[0].asked, 4u);
  EXPECT_EQ(sweep.damaged[1].run.settings.at("perturb"), "scale:0.5");
  const std::string page = value_or_throw(read_file(sweep.page));
  EXPECT_NE(page.find("<path"), std::string::npos);
  const auto files = fs::directory_iterator(sweep.page.parent_path());
  EXPECT_TRUE(std::ranges::any_of(files, [](const auto& file) { return file.path().extension() == ".svg"; }));
  EXPECT_EQ(server.counts().requests, 12u);
  value_or_throw(run_sweep(options(server), damages));
  EXPECT_EQ(server.counts().requests, 12u) << "every level is known";
}

TEST_F(EndpointRun, ASweepKeepsToOneBudget) {
  const ScriptedServer server(answer_protocols);
  BenchmarkOptions frugal = options(server);
  frugal.budget.max_calls = 6;
  const std::vector<std::string> wanted = {"jpeg:90,50"};
  const SweepResult sweep = value_or_throw(run_sweep(frugal, value_or_throw(parse_sweep(wanted))));
  EXPECT_TRUE(sweep.budget_used_up);
  EXPECT_EQ(sweep.spent.calls, 6);
  EXPECT_EQ(server.counts().requests, 6u);
}

TEST(ParseSweep, RefusesWhatIsNoDamage) {
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"fog:1"},
                                                {"blur"},
                                                {"blur:"},
                                                {"jpeg:0"},
                                                {"blur:1", "blur:2"},
                                                {"all", "jpeg:3"}}) {
    EXPECT_FALSE(parse_sweep(wrong).has_value()) << wrong.front();
  }
  EXPECT_EQ(value_or_throw(parse_sweep(std::vector<std::string>{"all"})).size(), 3u);
}

TEST_F(EndpointRun, EstimatesWithoutAsking) {
  const ScriptedServer server(unsure);
  const Estimate estimate = value_or_throw(estimate_benchmark(options(server)));
  EXPECT_EQ(estimate.model.questions, 4u);
  EXPECT_EQ(estimate.model.known, 0u);
  EXPECT_GT(estimate.model.usage.input_tokens, 4 * 255) << "a small picture is one tile";
  EXPECT_EQ(server.counts().requests, 0u);
}

TEST(Prices, APictureCostsItsTiles) {
  EXPECT_EQ(guess_picture_tokens(512, 512), 85 + 170);
  EXPECT_EQ(guess_picture_tokens(1024, 1024), 85 + 4 * 170);  // shrunk to 768x768: two by two tiles
  EXPECT_EQ(guess_picture_tokens(2048, 4096), 85 + 6 * 170);  // to 1024x2048, then 768x1536: two by three
}

}  // namespace
}  // namespace awry::pipeline
