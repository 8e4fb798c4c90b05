// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "awry/benchmarks/find_metric.h"

namespace awry::benchmarks {

// Of a metric that must be there.
inline double value(const Summary& summary, std::string_view group, std::string_view key) {
  const Metric* metric = find_metric(summary, group, key);
  EXPECT_NE(metric, nullptr) << group << "/" << key;
  return metric == nullptr ? -1 : metric->value;
}

}  // namespace awry::benchmarks
