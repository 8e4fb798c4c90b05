// SPDX-License-Identifier: Apache-2.0
// A-contrario arithmetic: how often chance alone would show something at least this striking.
//
// Everything is in log10, because the interesting numbers lie far below the smallest double.
#pragma once

namespace awry::inspectors::forensics {

// log10 of the probability that at least `successes` of `trials` succeed, each with `probability`.
// An upper bound (Hoeffding's, in its Chernoff form), so that it never overstates the evidence.
double log10_binomial_tail(double trials, double successes, double probability);

// log10 of the number of ways to choose `chosen` out of `total`.
double log10_choose(double total, double chosen);

// log10 of the probability that a normal variable exceeds its mean by this many deviations: an upper bound.
double log10_normal_tail(double deviations);

// 10^exponent as a value fit for a report: never below 1e-300.
double false_alarms_from_log10(double exponent);

}  // namespace awry::inspectors::forensics
