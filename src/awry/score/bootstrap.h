// SPDX-License-Identifier: Apache-2.0
// How sure a number is: the bootstrap over units (images, samples) with a percentile interval.
//
// Every resample draws as many units as there are, with replacement. Resample b of a seed is the same
// whoever computes it and whatever the metric, so intervals of several metrics over the same units belong
// together, and two runs over the same units can be compared pair by pair (significance.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "awry/base/result.h"
#include "awry/records/scoring.h"

namespace awry::score {

struct BootstrapOptions {
  std::size_t resamples = 5000;
  double level = 0.95;
  std::uint64_t seed = 0;
  double null_value = 0;  // what the p-value tests against
};

struct BootstrapEstimate {
  double value = 0;  // on the data as they are
  Interval interval;
  double standard_error = 0;
  double p_value = 1;  // two-sided, never 0: at least 2 / (resamples + 1)
  std::size_t units = 0;
  std::size_t resamples = 0;  // those that gave a number
  std::size_t undefined = 0;  // resamples without one, such as a precision without predictions; left out
};

// The mean of one value per unit.
Result<BootstrapEstimate> bootstrap_mean(std::span<const double> values,
                                         const BootstrapOptions& options = {});

// sum(numerators) / sum(denominators): micro precision tp/(tp+fp), recall tp/(tp+fn), F1 2tp/(2tp+fp+fn).
Result<BootstrapEstimate> bootstrap_ratio(std::span<const double> numerators,
                                          std::span<const double> denominators,
                                          const BootstrapOptions& options = {});

// Anything else: `statistic` gets the drawn units, as indices below `units`; NaN means undefined.
using Statistic = std::function<double(std::span<const std::uint32_t> drawn)>;
Result<BootstrapEstimate> bootstrap(std::size_t units, const Statistic& statistic,
                                    const BootstrapOptions& options = {});

// The indices of one resample, drawn.size() of them. The same seed and number always give the same.
void draw_resample(std::uint64_t seed, std::uint64_t resample, std::span<std::uint32_t> drawn);

// Interval, error and p from the values of the resamples (reordered; NaN = undefined).
Result<BootstrapEstimate> summarise_resamples(double value, std::size_t units, std::vector<double> resampled,
                                              const BootstrapOptions& options);

}  // namespace awry::score
