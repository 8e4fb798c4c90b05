// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/cave/comparison.h"

#include <map>
#include <string>
#include <vector>

namespace awry::benchmarks::cave {
namespace {

struct Counts {
  double found = 0, wrong = 0, missed = 0;
};

std::map<std::string, Counts> counts_of(const Summary& summary) {
  std::map<std::string, Counts> counts;
  for (const Score& score : summary.scores) {
    if (score.metric == "cave/ad/tp") counts[score.sample_id].found = score.value;
    if (score.metric == "cave/ad/fp") counts[score.sample_id].wrong = score.value;
    if (score.metric == "cave/ad/fn") counts[score.sample_id].missed = score.value;
  }
  return counts;
}

struct Terms {
  std::vector<double> numerators, denominators;
  void add(const Counts& counts) {
    numerators.push_back(2 * counts.found);
    denominators.push_back(2 * counts.found + counts.wrong + counts.missed);
  }
};

}  // namespace

Result<score::PairedDifference> compare_descriptions(const Summary& first, const Summary& second,
                                                     const score::BootstrapOptions& options) {
  const auto in_first = counts_of(first), in_second = counts_of(second);
  Terms a, b;
  for (const auto& [id, counts] : in_first) {
    const auto other = in_second.find(id);
    if (other == in_second.end()) continue;
    a.add(counts);
    b.add(other->second);
  }
  if (a.numerators.empty()) {
    return fail({.what = "cannot compare runs", .why = "no image was judged in both"});
  }
  return score::compare_ratios({a.numerators, a.denominators}, {b.numerators, b.denominators}, options);
}

}  // namespace awry::benchmarks::cave
