// SPDX-License-Identifier: Apache-2.0
// A whole benchmark: read the data, ask, keep every reply, read the answers, score, report.
//
// Running the same command again resumes: replies are found by content key, so what was already answered
// is not asked again, and a run that was killed half-way ends with the scores of one that was not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "awry/base/cancel.h"
#include "awry/base/progress.h"
#include "awry/base/result.h"
#include "awry/benchmarks/protocol.h"
#include "awry/pipeline/budget.h"
#include "awry/pipeline/models.h"
#include "awry/pipeline/prices.h"
#include "awry/records/run.h"
#include "awry/records/scoring.h"

namespace awry::pipeline {

struct BenchmarkOptions {
  std::string name;  // of the run: "demo", "themis-forensics"
  std::string protocol = "themis";
  std::filesystem::path data;
  std::string model = "forensics";  // models.h says which there are
  EndpointSettings endpoint;
  std::string judge;  // empty: nobody judges
  EndpointSettings judge_endpoint;
  BudgetLimits budget;  // model and judge together
  PriceList prices;
  benchmarks::ProtocolOptions protocol_options;
  std::filesystem::path runs_folder = "runs";
  std::uint64_t seed = 0;
  std::string perturb;  // "scale:0.5,jpeg:70": ask about damaged copies of the images (perturbed_images.h)
  std::string
      marks_from;  // an inspector whose findings are drawn as set-of-marks, for protocols that show them
  int threads = 1;
  bool ask_again = false;     // do not take replies from earlier runs
  bool retry_errors = false;  // ask again where a reply came but is no answer
  int reask = 0;              // how often an unparsable reply is asked for once more
  // Which samples to ask about, as a half-open range, given how many there are. Unset: all.
  std::function<std::pair<std::size_t, std::size_t>(std::size_t total)> range;
  std::vector<std::string> command;  // as typed, for the manifest
  std::string awry_version;
  ProgressOptions progress;
  const CancelToken* cancel = nullptr;
};

struct BenchmarkResult {
  Run run;
  Summary summary;
  std::filesystem::path folder;  // runs/<id>
  std::filesystem::path report;  // runs/<id>/report.html
  std::size_t questions = 0, asked = 0, reused = 0;
  std::size_t unjudged = 0;           // questions that a judge would have been asked, had one been named
  std::vector<std::string> failures;  // one line for each sample that could not be answered
  bool interrupted = false;           // stopped early: no scores, but every reply is kept
  bool budget_used_up = false;        // that is why
  Spending spent;                     // by the whole run, also before it was interrupted
};

Result<BenchmarkResult> run_benchmark(const BenchmarkOptions& options);

}  // namespace awry::pipeline
