// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/budget.h"

namespace awry::pipeline {
namespace {

void add(Spending& to, const Usage& usage, int sign = 1) {
  to.calls += sign;
  to.input_tokens += sign * usage.input_tokens;
  to.output_tokens += sign * usage.output_tokens;
  to.cost_usd += sign * usage.cost_usd.value_or(0);
}

}  // namespace

Budget::Budget(const BudgetLimits& limits, const Spending& spent_before)
    : limits_(limits), spent_(spent_before) {}

bool Budget::has_limits() const {
  return limits_.max_cost_usd || limits_.max_tokens || limits_.max_calls;
}

bool Budget::fits(const Usage& expected) const {
  Spending all = spent_;
  add(all, expected);
  all.calls += under_way_.calls;
  all.input_tokens += under_way_.input_tokens;
  all.output_tokens += under_way_.output_tokens;
  all.cost_usd += under_way_.cost_usd;
  return !(limits_.max_calls && all.calls > *limits_.max_calls) &&
         !(limits_.max_tokens && all.input_tokens + all.output_tokens > *limits_.max_tokens) &&
         !(limits_.max_cost_usd && all.cost_usd > *limits_.max_cost_usd);
}

bool Budget::admit(const Usage& expected) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopped_ || used_up_ || fits(expected) || under_way_.calls == 0; });
  if (stopped_ || used_up_) return false;
  if (!fits(expected)) {
    used_up_ = true;
    changed_.notify_all();
    return false;
  }
  add(under_way_, expected);
  return true;
}

void Budget::settle(const Usage& expected, const Usage& actual) {
  {
    const std::lock_guard lock(mutex_);
    add(under_way_, expected, -1);
    add(spent_, actual);
  }
  changed_.notify_all();
}

void Budget::take_back(const Usage& expected) {
  {
    const std::lock_guard lock(mutex_);
    add(under_way_, expected, -1);
  }
  changed_.notify_all();
}

void Budget::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
}

Spending Budget::spent() const {
  const std::lock_guard lock(mutex_);
  return spent_;
}

bool Budget::is_used_up() const {
  const std::lock_guard lock(mutex_);
  return used_up_;
}

}  // namespace awry::pipeline
