// SPDX-License-Identifier: Apache-2.0
// Two summaries of the same samples, sample by sample. Pure: the command around it finds and prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/cli/stored_run.h"
#include "awry/records/scoring.h"
#include "awry/score/significance.h"

namespace awry::cli {

// One sample on which both runs have a score.
struct ItemDifference {
  std::string sample_id, metric;
  double first = 0, second = 0;
  double difference() const { return second - first; }
};

struct MetricComparison {
  std::string metric;
  bool lower_is_better = false;
  score::PairedDifference paired;               // means, difference, bootstrap interval and p
  std::optional<score::McNemarResult> mcnemar;  // when every score is 0 or 1
  double p_value = 1;                           // exact McNemar, else sign flips
  double p_holm = 1;                            // the same, corrected for the number of metrics
  double detectable = 0;                        // the smallest difference that 80% of such runs would show
  std::size_t better = 0, same = 0, worse = 0;  // samples, the second run against the first
  // How much better the second run is on average; below 0, worse.
  double gain() const { return lower_is_better ? -paired.difference : paired.difference; }
};

struct Comparison {
  std::vector<MetricComparison> metrics;             // in the order of the first run
  std::vector<ItemDifference> items;                 // those that differ, the largest difference first
  std::vector<std::string> only_first, only_second;  // samples that one run lacks
  std::vector<std::string> metrics_only_first, metrics_only_second;  // metrics likewise
  std::size_t not_numbers = 0;                                       // scores left out for that
};

struct ComparisonOptions {
  std::size_t resamples = 5000;
  std::uint64_t seed = 1;
};

// Fails when a sample has two scores of one metric, or nothing is shared.
Result<Comparison> compare_summaries(const Summary& first, const Summary& second,
                                     const ComparisonOptions& options = {});

// Why numbers of the two cannot be compared, one sentence each: another protocol, or a metric that was
// computed in another way. Who judged is left to judge_obstacles. Empty: they can.
std::vector<std::string> obstacles(const Summary& first, const Summary& second);

// The same for judges: a model's answers look better or worse by who reads them. Judges are told apart by the
// name they were asked under, by the name they gave themselves, and by what the metrics' signatures say.
std::vector<std::string> judge_obstacles(const StoredRun& first, const StoredRun& second);

}  // namespace awry::cli
