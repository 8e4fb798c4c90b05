// SPDX-License-Identifier: Apache-2.0
// Score: one metric of one sample. Summary: what a report prints, every number with its count and
// signature, and the outcomes of everything that was asked.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "awry/records/outcome.h"
#include "awry/records/unknown_fields.h"

namespace awry {

struct Score {
  std::string sample_id;
  std::string metric;  // "themis/splicing/loc"
  double value = 0;
  UnknownFields unknown;
  bool operator==(const Score&) const = default;
};

struct Interval {
  double low = 0, high = 0;
  double level = 0.95;
  bool operator==(const Interval&) const = default;
};

struct Metric {
  std::string key;    // the name used in JSON: "sem_ap"
  std::string group;  // "splicing", "human", "overall"; may be empty; see is_breakdown()
  std::string label;  // for people; may be empty, then the key is shown
  double value = 0;
  std::optional<Interval> interval;  // bootstrap
  std::optional<Interval> missing;   // worst and best case over what was not answered
  std::size_t count = 0;             // how many items the value rests on
  std::string signature;             // "themis|acc|denominator:paper|v:0.1.0"
  bool operator==(const Metric&) const = default;
};

// "duplication/scenario:Chart", "capability:counting": a part of another group, shown folded away.
inline bool is_breakdown(const Metric& metric) {
  return metric.group.find(':') != std::string::npos;
}

struct Summary {
  std::string protocol;
  std::vector<Metric> metrics;
  std::vector<Score> scores;  // per sample, for comparisons and plots
  OutcomeCounts outcomes;
  std::vector<std::string> notes;  // defects found, repairs made, items left out and why
  UnknownFields unknown;
  bool operator==(const Summary&) const = default;
};

}  // namespace awry
