// SPDX-License-Identifier: Apache-2.0
// Is one run better than another on the same samples, or is it luck?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "awry/score/bootstrap.h"

namespace awry::score {

struct PairedDifference {
  double first = 0, second = 0;
  double difference = 0;  // second - first
  Interval interval;      // of the difference
  double p_value = 1;     // two-sided
  std::size_t samples = 0;
};

// Paired bootstrap: each resample draws samples, and with a sample both runs' results on it.
Result<PairedDifference> compare_means(std::span<const double> first, std::span<const double> second,
                                       const BootstrapOptions& options = {});

// The same for sum/sum metrics such as micro F1 (see bootstrap_ratio).
struct RatioTerms {
  std::span<const double> numerators, denominators;
};
Result<PairedDifference> compare_ratios(RatioTerms first, RatioTerms second,
                                        const BootstrapOptions& options = {});

struct SignFlipOptions {
  std::size_t flips = 20'000;  // random flips, when there are too many samples to try every one
  std::uint64_t seed = 0;
};
// p-value, two-sided, that the mean of paired differences is 0: the share of sign patterns whose mean is at
// least as far from 0. Every pattern is tried when at most 20 differences are not 0.
Result<double> sign_flip_test(std::span<const double> differences, const SignFlipOptions& options = {});

struct McNemarResult {
  std::size_t only_first = 0, only_second = 0;  // samples that only this run got right
  double p_value = 1;                           // exact binomial, two-sided
};
// Right (!= 0) or wrong per sample.
Result<McNemarResult> mcnemar(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second);

// p-values corrected for being several, in the order given: Holm's step-down method.
std::vector<double> holm(std::span<const double> p_values);

struct PowerOptions {
  double significance = 0.05;  // two-sided
  double power = 0.8;          // chance to notice a difference of that size
};
// The smallest mean difference that this many paired samples would show, given how much single differences
// scatter (normal approximation).
double minimum_detectable_difference(double deviation_of_differences, std::size_t samples,
                                     const PowerOptions& options = {});
// The other way round: how many samples to show `difference`.
std::size_t samples_needed(double difference, double deviation_of_differences,
                           const PowerOptions& options = {});

}  // namespace awry::score
