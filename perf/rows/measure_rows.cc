// SPDX-License-Identifier: Apache-2.0
// measure_rows FOLDER ROWS: writes made-up MagicData into the folder, scores it and prints one line of JSON.
#include <fmt/format.h>

#include <ctime>
#include <optional>
#include <string>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"
#include "synthetic_rows.h"

namespace awry::perf {
namespace {

namespace magicmirror = benchmarks::magicmirror;

struct Timed {
  double seconds = 0, artifacts_f1 = 0, l2_micro_f1 = 0;
};

double f1_of(const Summary& summary, std::string_view group) {
  for (const Metric& metric : summary.metrics) {
    if (metric.group == group && metric.key == "f1") return metric.value;
  }
  return -1;
}

// Seconds that the processor worked for us, in our code and in the system's: what a core does, whatever else
// the machine is busy with.
double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// The best of three.
Result<Timed> time_awry(const SyntheticFiles& files, const char* resamples) {
  Timed best{.seconds = 1e9};
  for (int repeat = 0; repeat < 3; ++repeat) {
    const double begin = cpu_seconds();
    AWRY_TRY_ASSIGN(const Summary summary, magicmirror::score_magicmirror_files(files.truth, files.answers,
                                                                                {{"resamples", resamples}}));
    const double seconds = cpu_seconds() - begin;
    if (seconds < best.seconds) best = {seconds, f1_of(summary, "artifacts"), f1_of(summary, "l2_micro")};
  }
  return best;
}

Result<void> measure(const std::filesystem::path& folder, std::size_t rows) {
  AWRY_TRY_ASSIGN(const SyntheticFiles files, write_synthetic_rows(folder, rows, 1));
  AWRY_TRY_ASSIGN(const Timed plain, time_awry(files, "0"));
  AWRY_TRY_ASSIGN(const Timed with_bootstrap, time_awry(files, "2000"));
  fmt::print("{}\n", dump_json({{"rows", rows},
                                {"bytes", files.bytes},
                                {"truth", files.truth.string()},
                                {"answers", files.answers.string()},
                                {"seconds", plain.seconds},
                                {"seconds_with_bootstrap", with_bootstrap.seconds},
                                {"artifacts_f1", plain.artifacts_f1},
                                {"l2_micro_f1", plain.l2_micro_f1}}));
  return {};
}

}  // namespace
}  // namespace awry::perf

int main(int argc, char** argv) {
  const auto rows = argc == 3 ? awry::parse_integer(argv[2]) : std::nullopt;
  if (!rows || *rows < 1) {
    fmt::print(stderr, "usage: measure_rows FOLDER ROWS\n");
    return 2;
  }
  const auto measured = awry::perf::measure(argv[1], static_cast<std::size_t>(*rows));
  if (!measured) {
    fmt::print(stderr, "{}\n", measured.error().message());
    return 1;
  }
  return 0;
}
