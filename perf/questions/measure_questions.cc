// SPDX-License-Identifier: Apache-2.0
// measure_questions TRUTH REPLIES: scores THEMIS files as `awry score` does and prints one line of JSON.
#include <fmt/format.h>

#include <ctime>
#include <string>

#include "awry/base/json.h"
#include "awry/benchmarks/find_metric.h"
#include "awry/benchmarks/protocol.h"
#include "awry/benchmarks/replies_file.h"

namespace awry::perf {
namespace {

struct Timed {
  double seconds = 1e9, exact_match = -1;
  std::size_t questions = 0;
};

// Of our code and of the system's on our behalf: what a core does, whatever else the machine is busy with.
double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// The best of three.
Result<Timed> time_awry(const char* truth, const char* replies, const char* resamples) {
  const benchmarks::Protocol& themis = *benchmarks::find_protocol("themis");
  const benchmarks::ProtocolOptions options = {{"resamples", resamples}};
  Timed best;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const double begin = cpu_seconds();
    AWRY_TRY_ASSIGN(benchmarks::Dataset dataset, themis.read_samples(truth, options));
    AWRY_TRY_ASSIGN(const auto answered,
                    benchmarks::read_answers(themis, replies, std::move(dataset.samples), options));
    AWRY_TRY_ASSIGN(const Summary summary, themis.score(answered, options));
    const double seconds = cpu_seconds() - begin;
    const Metric* exact = benchmarks::find_metric(summary, "duplication", "exact_match");
    if (seconds < best.seconds) best = {seconds, exact == nullptr ? -1 : exact->value, answered.size()};
  }
  return best;
}

Result<void> measure(const char* truth, const char* replies) {
  AWRY_TRY_ASSIGN(const Timed plain, time_awry(truth, replies, "0"));
  AWRY_TRY_ASSIGN(const Timed with_bootstrap, time_awry(truth, replies, "2000"));
  fmt::print("{}\n", dump_json({{"questions", plain.questions},
                                {"seconds", plain.seconds},
                                {"seconds_with_bootstrap", with_bootstrap.seconds},
                                {"duplication_exact_match", plain.exact_match}}));
  return {};
}

}  // namespace
}  // namespace awry::perf

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: measure_questions TRUTH REPLIES\n");
    return 2;
  }
  const auto measured = awry::perf::measure(argv[1], argv[2]);
  if (!measured) {
    fmt::print(stderr, "{}\n", measured.error().message());
    return 1;
  }
  return 0;
}
