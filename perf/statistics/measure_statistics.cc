// SPDX-License-Identifier: Apache-2.0
// measure_statistics FOLDER: times the bootstrap and Krippendorff's alpha, and leaves the data in FOLDER for
// the reference. One JSON line per measurement.
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <functional>

#include "awry/base/files.h"
#include "awry/base/random.h"
#include "awry/score/agreement.h"
#include "awry/score/bootstrap.h"
#include "awry/score/roc.h"

namespace awry {
namespace {

constexpr std::size_t kImages = 10'000, kResamples = 5'000, kUnits = 300'000, kRaters = 3;

struct Data {
  std::vector<double> values, denominators;
  std::vector<std::uint8_t> labels;
  score::Ratings ratings{.raters = kRaters};
};

Data make_data() {
  RandomStream random(7);
  Data data;
  for (std::size_t i = 0; i < kImages; ++i) {
    data.labels.push_back(random.chance(0.4) ? 1 : 0);
    data.values.push_back(random.uniform() + 0.3 * data.labels.back());
    data.denominators.push_back(random.integer(1, 5));
  }
  for (std::size_t unit = 0; unit < kUnits; ++unit) {
    const int truth = random.integer(1, 5);
    for (std::size_t rater = 0; rater < kRaters; ++rater) {
      const double rating = random.chance(0.7) ? truth : random.integer(1, 5);
      data.ratings.values.push_back(random.chance(0.1) ? score::kNotRated : rating);
    }
  }
  return data;
}

template <class T>
Result<void> leave(const std::filesystem::path& path, const std::vector<T>& numbers) {
  return write_file(path, {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)});
}

// Of the processor, and the best of three: the machine may be busy.
double seconds_of(const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

void time_bootstrap(const char* name, const std::function<Result<score::BootstrapEstimate>()>& bootstrap) {
  score::BootstrapEstimate estimate;
  const double seconds = seconds_of([&] { estimate = bootstrap().value(); });
  fmt::print(
      "{{\"name\": \"{}\", \"seconds\": {:.4f}, \"value\": {:.12f}, \"low\": {:.12f}, \"high\": {:.12f}, "
      "\"error\": {:.12f}}}\n",
      name, seconds, estimate.value, estimate.interval.low, estimate.interval.high, estimate.standard_error);
}

void time_alpha(const char* name, const score::Ratings& ratings, score::Measurement measurement) {
  double alpha = 0;
  const double seconds =
      seconds_of([&] { alpha = score::krippendorff_alpha(ratings, measurement).value().value; });
  fmt::print("{{\"name\": \"{}\", \"seconds\": {:.4f}, \"value\": {:.12f}}}\n", name, seconds, alpha);
}

Result<void> run(const std::filesystem::path& folder) {
  const Data data = make_data();
  AWRY_TRY(leave(folder / "values", data.values));
  AWRY_TRY(leave(folder / "denominators", data.denominators));
  AWRY_TRY(leave(folder / "labels", data.labels));
  AWRY_TRY(leave(folder / "ratings", data.ratings.values));
  const score::BootstrapOptions options{.resamples = kResamples};
  time_bootstrap("bootstrap_mean", [&] { return score::bootstrap_mean(data.values, options); });
  time_bootstrap("bootstrap_ratio",
                 [&] { return score::bootstrap_ratio(data.values, data.denominators, options); });
  time_bootstrap("bootstrap_auroc",
                 [&] { return score::bootstrap_auroc(data.values, data.labels, options); });
  time_alpha("alpha_nominal", data.ratings, score::Measurement::kNominal);
  time_alpha("alpha_ordinal", data.ratings, score::Measurement::kOrdinal);
  time_alpha("alpha_interval", data.ratings, score::Measurement::kInterval);
  return {};
}

}  // namespace
}  // namespace awry

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: measure_statistics FOLDER\n");
    return 2;
  }
  const auto done = awry::run(arguments[1]);
  if (done) return 0;
  fmt::print(stderr, "{}\n", done.error().message());
  return 1;
}
