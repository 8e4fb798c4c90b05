// SPDX-License-Identifier: Apache-2.0
#include "awry/score/significance.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "awry/base/random.h"

namespace awry::score {
namespace {

constexpr auto kWhat = "cannot compare runs";

Error different_lengths(std::size_t first, std::size_t second) {
  return {.what = kWhat,
          .why = fmt::format("one has {} samples, the other {}", first, second),
          .hint = "Only the same samples can be compared in pairs."};
}

Result<void> check_finite(std::span<const double> values) {
  const auto bad = std::ranges::find_if_not(values, [](double value) { return std::isfinite(value); });
  if (bad == values.end()) return {};
  return fail({.what = kWhat, .why = fmt::format("sample {} is {}", bad - values.begin(), *bad)});
}

// Standard normal quantile by bisection of the error function: slow and exact enough, and nobody calls it
// in a loop.
double normal_quantile(double probability) {
  double low = -40, high = 40;
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::sqrt(2.0)) / 2 < probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

// In units of the standard error of the mean difference.
double detectable_z(const PowerOptions& options) {
  return normal_quantile(1 - options.significance / 2) + normal_quantile(options.power);
}

PairedDifference paired(double first, double second, const BootstrapEstimate& difference) {
  return {.first = first,
          .second = second,
          .difference = difference.value,
          .interval = difference.interval,
          .p_value = difference.p_value,
          .samples = difference.units};
}

}  // namespace

Result<PairedDifference> compare_means(std::span<const double> first, std::span<const double> second,
                                       const BootstrapOptions& options) {
  if (first.size() != second.size()) return fail(different_lengths(first.size(), second.size()));
  std::vector<double> differences(first.size());
  std::ranges::transform(second, first, differences.begin(), std::minus{});
  AWRY_TRY_ASSIGN(const BootstrapEstimate difference, bootstrap_mean(differences, options));
  const auto mean = [](std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  };
  return paired(mean(first), mean(second), difference);
}

Result<PairedDifference> compare_ratios(RatioTerms first, RatioTerms second,
                                        const BootstrapOptions& options) {
  const std::size_t samples = first.numerators.size();
  for (const auto terms : {first.denominators, second.numerators, second.denominators}) {
    if (terms.size() != samples) return fail(different_lengths(samples, terms.size()));
  }
  struct Terms {
    double first_top, first_bottom, second_top, second_bottom;
  };
  std::vector<Terms> terms(samples);
  for (std::size_t i = 0; i < samples; ++i) {
    terms[i] = {first.numerators[i], first.denominators[i], second.numerators[i], second.denominators[i]};
    if (!std::isfinite(terms[i].first_top + terms[i].first_bottom + terms[i].second_top +
                       terms[i].second_bottom)) {
      return fail({.what = kWhat, .why = fmt::format("sample {} is not a finite number", i)});
    }
  }
  double first_value = 0, second_value = 0;
  const auto difference = [&](std::span<const std::uint32_t> drawn) {
    Terms sum{};
    for (const std::uint32_t sample : drawn) {
      sum.first_top += terms[sample].first_top;
      sum.first_bottom += terms[sample].first_bottom;
      sum.second_top += terms[sample].second_top;
      sum.second_bottom += terms[sample].second_bottom;
    }
    constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
    first_value = sum.first_bottom == 0 ? kUndefined : sum.first_top / sum.first_bottom;
    second_value = sum.second_bottom == 0 ? kUndefined : sum.second_top / sum.second_bottom;
    return second_value - first_value;
  };
  AWRY_TRY_ASSIGN(const BootstrapEstimate estimate, bootstrap(samples, difference, options));
  std::vector<std::uint32_t> everyone(samples);
  std::iota(everyone.begin(), everyone.end(), 0U);
  difference(everyone);
  return paired(first_value, second_value, estimate);
}

Result<double> sign_flip_test(std::span<const double> differences, const SignFlipOptions& options) {
  AWRY_TRY(check_finite(differences));
  std::vector<double> sizes;  // a difference of 0 has no sign to flip
  double sum = 0, scale = 0;
  for (const double difference : differences) {
    if (difference == 0) continue;
    sizes.push_back(std::abs(difference));
    sum += difference;
    scale += std::abs(difference);
  }
  if (sizes.empty()) return 1.0;
  // Sums that are equal on paper differ in their last bits, depending on the order of addition.
  const double as_far = std::abs(sum) - 1e-12 * scale;

  constexpr std::size_t kMostForEveryPattern = 20;
  if (sizes.size() <= kMostForEveryPattern) {
    // Gray code: each pattern differs from the one before in a single sign.
    const std::uint64_t patterns = std::uint64_t{1} << sizes.size();
    double flipped = scale;
    std::vector<double> signs = sizes;
    std::uint64_t extreme = 1;  // all positive
    for (std::uint64_t pattern = 1; pattern < patterns; ++pattern) {
      double& sign = signs[std::countr_zero(pattern)];
      flipped -= 2 * sign;
      sign = -sign;
      extreme += std::abs(flipped) >= as_far ? 1 : 0;
    }
    return static_cast<double>(extreme) / static_cast<double>(patterns);
  }

  RandomStream stream = RandomStream(options.seed).fork("sign flips");
  std::size_t extreme = 1;
  for (std::size_t flip = 0; flip < options.flips; ++flip) {
    double flipped = 0;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (i % 64 == 0) bits = stream.next();
      flipped += (bits >> (i % 64) & 1) != 0 ? sizes[i] : -sizes[i];
    }
    extreme += std::abs(flipped) >= as_far ? 1 : 0;
  }
  return static_cast<double>(extreme) / static_cast<double>(options.flips + 1);
}

Result<McNemarResult> mcnemar(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second) {
  if (first.size() != second.size()) return fail(different_lengths(first.size(), second.size()));
  McNemarResult result;
  for (std::size_t i = 0; i < first.size(); ++i) {
    result.only_first += first[i] != 0 && second[i] == 0 ? 1 : 0;
    result.only_second += first[i] == 0 && second[i] != 0 ? 1 : 0;
  }
  // Under the null, each disagreement falls either way like a coin.
  const std::size_t discordant = result.only_first + result.only_second;
  const std::size_t fewer = std::min(result.only_first, result.only_second);
  const auto log_factorial = [](std::size_t n) { return std::lgamma(static_cast<double>(n) + 1); };
  double tail = 0;
  for (std::size_t k = 0; k <= fewer; ++k) {
    tail += std::exp(log_factorial(discordant) - log_factorial(k) - log_factorial(discordant - k) -
                     static_cast<double>(discordant) * std::log(2.0));
  }
  result.p_value = std::min(1.0, 2 * tail);
  return result;
}

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  std::vector<double> corrected(p_values.size());
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double factor = static_cast<double>(order.size() - rank);
    largest = std::max(largest, std::min(1.0, factor * p_values[order[rank]]));
    corrected[order[rank]] = largest;
  }
  return corrected;
}

double minimum_detectable_difference(double deviation_of_differences, std::size_t samples,
                                     const PowerOptions& options) {
  if (samples == 0) return std::numeric_limits<double>::infinity();
  return detectable_z(options) * deviation_of_differences / std::sqrt(static_cast<double>(samples));
}

std::size_t samples_needed(double difference, double deviation_of_differences, const PowerOptions& options) {
  const double root = detectable_z(options) * deviation_of_differences / std::abs(difference);
  const double samples = std::ceil(root * root);
  constexpr auto kMost = std::numeric_limits<std::size_t>::max();
  return samples < static_cast<double>(kMost) ? std::max<std::size_t>(1, static_cast<std::size_t>(samples))
                                              : kMost;
}

}  // namespace awry::score
