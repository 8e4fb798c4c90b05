// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "awry/records/scoring.h"

namespace awry::benchmarks {

// nullptr where the summary does not have it.
inline const Metric* find_metric(const Summary& summary, std::string_view group, std::string_view key) {
  for (const Metric& metric : summary.metrics) {
    if (metric.group == group && metric.key == key) return &metric;
  }
  return nullptr;
}

}  // namespace awry::benchmarks
