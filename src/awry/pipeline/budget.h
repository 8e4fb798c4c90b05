// SPDX-License-Identifier: Apache-2.0
// Spend no more than was agreed, with many questions on their way at once.
//
// A question is admitted when what was spent, what is on its way and what it will probably take fit the
// limits. While something is on its way the answer may be "wait": replies often cost less than feared.
// Only when nothing is left to come back is the budget used up.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

#include "awry/records/asking.h"

namespace awry::pipeline {

// For the whole run: a resumed run counts what it spent before.
struct BudgetLimits {
  std::optional<double> max_cost_usd;
  std::optional<long long> max_tokens, max_calls;
};

struct Spending {
  long long calls = 0;  // questions that left; their retries are not counted
  long long input_tokens = 0, output_tokens = 0;
  double cost_usd = 0;
};

class Budget {
 public:
  explicit Budget(const BudgetLimits& limits, const Spending& spent_before = {});

  bool has_limits() const;
  bool admit(const Usage& expected);  // waits; false: used up, or stopped
  void settle(const Usage& expected, const Usage& actual);
  void take_back(const Usage& expected);  // it never left
  void stop();                            // nobody waits any longer

  Spending spent() const;
  bool is_used_up() const;

 private:
  bool fits(const Usage& expected) const;

  const BudgetLimits limits_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Spending spent_, under_way_;
  bool stopped_ = false, used_up_ = false;
};

}  // namespace awry::pipeline
