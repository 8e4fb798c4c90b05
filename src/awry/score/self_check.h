// SPDX-License-Identifier: Apache-2.0
// Before a metric prints anything it is tried on three predictions whose value is known without computing:
// the truth itself, nothing at all, and the truth in another order.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "awry/base/result.h"

namespace awry::score {

// A small problem made by the protocol, scored by the same function as the user's data.
struct SelfCheck {
  std::string metric;                // named when it fails
  std::function<double()> perfect;   // the truth, as prediction
  std::function<double()> empty;     // no prediction at all
  std::function<double()> permuted;  // the truth, its items and their parts in another order
  double best = 1, worst = 0;        // what a perfect and an empty prediction must score
  double tolerance = 1e-9;
};

// An error names the metric, the prediction, and what it scored instead. Functions left out are not tried.
Result<void> check_metric(const SelfCheck& check);
Result<void> check_metrics(std::span<const SelfCheck> checks);

}  // namespace awry::score
