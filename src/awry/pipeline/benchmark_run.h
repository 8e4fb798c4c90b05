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
#include "awry/records/run.h"
#include "awry/records/scoring.h"

namespace awry::pipeline {

struct BenchmarkOptions {
  std::string name;  // of the run: "demo", "themis-forensics"
  std::string protocol = "themis";
  std::filesystem::path data;
  std::string model = "forensics";
  benchmarks::ProtocolOptions protocol_options;
  std::filesystem::path runs_folder = "runs";
  std::uint64_t seed = 0;
  int threads = 1;
  bool ask_again = false;  // do not take replies from earlier runs
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
  std::vector<std::string> failures;  // one line for each sample that could not be answered
  bool interrupted = false;           // stopped early: no scores, but every reply is kept
};

Result<BenchmarkResult> run_benchmark(const BenchmarkOptions& options);

}  // namespace awry::pipeline
