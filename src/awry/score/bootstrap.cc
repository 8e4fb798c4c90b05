// SPDX-License-Identifier: Apache-2.0
#include "awry/score/bootstrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "awry/base/random.h"

namespace awry::score {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

Result<void> check(std::size_t units, const BootstrapOptions& options) {
  constexpr auto kWhat = "cannot bootstrap";
  if (units == 0) return fail({.what = kWhat, .why = "there are no units to draw from"});
  if (units > std::numeric_limits<std::uint32_t>::max()) {
    return fail({.kind = ErrorKind::kLimit, .what = kWhat, .why = "more than 2^32 units"});
  }
  if (options.resamples == 0) {
    return fail({.kind = ErrorKind::kUsage, .what = kWhat, .why = "at least one resample is needed"});
  }
  if (!(options.level > 0 && options.level < 1)) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = kWhat,
                 .why = fmt::format("the level {} is outside (0, 1)", options.level)});
  }
  return {};
}

Result<void> check_finite(std::span<const double> values) {
  const auto bad = std::ranges::find_if_not(values, [](double value) { return std::isfinite(value); });
  if (bad == values.end()) return {};
  return fail({.what = "cannot bootstrap", .why = fmt::format("unit {} is {}", bad - values.begin(), *bad)});
}

// Between neighbours in proportion, as numpy and R do by default.
double quantile(std::span<const double> sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

template <class OnResample>
std::vector<double> resample(std::size_t units, const BootstrapOptions& options, OnResample&& statistic) {
  std::vector<std::uint32_t> drawn(units);
  std::vector<double> values(options.resamples);
  for (std::size_t number = 0; number < options.resamples; ++number) {
    draw_resample(options.seed, number, drawn);
    values[number] = statistic(std::span<const std::uint32_t>(drawn));
  }
  return values;
}

}  // namespace

void draw_resample(std::uint64_t seed, std::uint64_t resample, std::span<std::uint32_t> drawn) {
  RandomStream stream = RandomStream(seed).fork("resample").fork(resample);
  const std::uint64_t bound = drawn.size();
  if (bound == 0) return;
  // Two draws from each 64 random bits, by multiplication; the few products below the threshold are drawn
  // again, without which some units would be a little likelier than others.
  const auto threshold = static_cast<std::uint32_t>((std::uint64_t{1} << 32) % bound);
  std::size_t filled = 0;
  while (filled < drawn.size()) {
    const std::uint64_t bits = stream.next();
    for (const std::uint64_t half : {bits >> 32, bits & 0xFFFF'FFFFU}) {
      const std::uint64_t product = half * bound;
      if (static_cast<std::uint32_t>(product) < threshold || filled == drawn.size()) continue;
      drawn[filled++] = static_cast<std::uint32_t>(product >> 32);
    }
  }
}

Result<BootstrapEstimate> summarise_resamples(double value, std::size_t units, std::vector<double> resampled,
                                              const BootstrapOptions& options) {
  const std::size_t all = resampled.size();
  std::erase_if(resampled, [](double one) { return std::isnan(one); });
  if (resampled.empty() || std::isnan(value)) {
    return fail({.what = "bootstrap is undefined",
                 .why = std::isnan(value) ? "the metric is undefined on the data"
                                          : "the metric is undefined on every resample"});
  }
  std::ranges::sort(resampled);

  const auto count = static_cast<double>(resampled.size());
  double mean = value, squares = 0;
  for (const double one : resampled) mean += (one - value) / count;
  for (const double one : resampled) squares += (one - mean) * (one - mean);
  const auto not_above = std::ranges::upper_bound(resampled, options.null_value) - resampled.begin();
  const auto not_below = resampled.end() - std::ranges::lower_bound(resampled, options.null_value);
  const double tail = static_cast<double>(std::min(not_above, not_below));
  const double outside = (1 - options.level) / 2;
  return BootstrapEstimate{
      .value = value,
      .interval = {.low = quantile(resampled, outside),
                   .high = quantile(resampled, 1 - outside),
                   .level = options.level},
      .standard_error = resampled.size() < 2 ? 0 : std::sqrt(squares / (count - 1)),
      // The data themselves count as one more resample on the null's side, so that p is never 0.
      .p_value = std::min(1.0, 2 * (tail + 1) / (count + 1)),
      .units = units,
      .resamples = resampled.size(),
      .undefined = all - resampled.size()};
}

Result<BootstrapEstimate> bootstrap_mean(std::span<const double> values, const BootstrapOptions& options) {
  AWRY_TRY(check(values.size(), options));
  AWRY_TRY(check_finite(values));
  const auto units = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  return summarise_resamples(sum / units, values.size(),
                             resample(values.size(), options,
                                      [&](std::span<const std::uint32_t> drawn) {
                                        double total = 0;
                                        for (const std::uint32_t unit : drawn) total += values[unit];
                                        return total / units;
                                      }),
                             options);
}

Result<BootstrapEstimate> bootstrap_ratio(std::span<const double> numerators,
                                          std::span<const double> denominators,
                                          const BootstrapOptions& options) {
  AWRY_TRY(check(numerators.size(), options));
  if (numerators.size() != denominators.size()) {
    return fail(
        {.what = "cannot bootstrap",
         .why = fmt::format("{} numerators but {} denominators", numerators.size(), denominators.size())});
  }
  AWRY_TRY(check_finite(numerators));
  AWRY_TRY(check_finite(denominators));
  struct Terms {
    double numerator, denominator;
    double ratio() const { return denominator == 0 ? kUndefined : numerator / denominator; }
  };
  std::vector<Terms> terms;
  Terms all{0, 0};
  for (std::size_t i = 0; i < numerators.size(); ++i) {
    terms.push_back({numerators[i], denominators[i]});
    all.numerator += numerators[i];
    all.denominator += denominators[i];
  }
  return summarise_resamples(all.ratio(), terms.size(),
                             resample(terms.size(), options,
                                      [&](std::span<const std::uint32_t> drawn) {
                                        Terms total{0, 0};
                                        for (const std::uint32_t unit : drawn) {
                                          total.numerator += terms[unit].numerator;
                                          total.denominator += terms[unit].denominator;
                                        }
                                        return total.ratio();
                                      }),
                             options);
}

Result<BootstrapEstimate> bootstrap(std::size_t units, const Statistic& statistic,
                                    const BootstrapOptions& options) {
  AWRY_TRY(check(units, options));
  std::vector<std::uint32_t> as_they_are(units);
  for (std::uint32_t i = 0; i < units; ++i) as_they_are[i] = i;
  return summarise_resamples(statistic(as_they_are), units, resample(units, options, statistic), options);
}

}  // namespace awry::score
