// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/false_alarms.h"

#include <algorithm>
#include <cmath>

namespace awry::inspectors::forensics {

double log10_binomial_tail(double trials, double successes, double probability) {
  if (trials <= 0 || successes <= 0) return 0;
  const double p = std::clamp(probability, 1e-12, 1 - 1e-12);
  const double rate = std::min(1.0, successes / trials);
  if (rate <= p) return 0;
  double divergence = rate * std::log10(rate / p);
  if (rate < 1) divergence += (1 - rate) * std::log10((1 - rate) / (1 - p));
  return -trials * divergence;
}

double log10_choose(double total, double chosen) {
  if (chosen <= 0 || chosen >= total) return 0;
  return (std::lgamma(total + 1) - std::lgamma(chosen + 1) - std::lgamma(total - chosen + 1)) /
         std::log(10.0);
}

double log10_normal_tail(double deviations) {
  if (deviations <= 0) return 0;
  // exp(-z^2 / 2) / 2 bounds the tail from above, and its exponent never underflows.
  return -deviations * deviations / (2 * std::log(10.0)) - std::log10(2.0);
}

double false_alarms_from_log10(double exponent) {
  return std::pow(10.0, std::clamp(exponent, -300.0, 300.0));
}

}  // namespace awry::inspectors::forensics
