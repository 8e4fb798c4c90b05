// SPDX-License-Identifier: Apache-2.0
// Balanced Robustness Index: one number for a model among others, that rewards being good at everything.
//
// Each column is scaled to 0..1 between the worst and the best model of the cohort; a model's index is the
// mean of its scaled columns minus lambda times the distance between its best and its worst. It depends on
// who else is in the cohort: add or remove a model and every index may move.
#pragma once

#include <span>
#include <vector>

#include "awry/base/result.h"

namespace awry::score {

inline constexpr double kBriLambda = 0.25;

// One row per model, the same columns in each, larger is better; the result is in the same order, 1 at most.
// A column in which all models are equal tells nobody apart and counts as 0 for all. Rows of different
// lengths, no columns, or a value that is not finite are errors.
Result<std::vector<double>> balanced_robustness(std::span<const std::vector<double>> models,
                                                double lambda = kBriLambda);

}  // namespace awry::score
