// SPDX-License-Identifier: Apache-2.0
// Does an assessor's reasoning lead to its verdict? A judge says so, and the paper's reward is lost where it
// does not.
#pragma once

#include <optional>
#include <vector>

#include "awry/benchmarks/magicmirror/labels.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"

namespace awry::benchmarks::magicmirror {

class Rewards {
 public:
  // `judged` is the judge's answer; nullptr: it was not asked. A verdict without reasoning follows from none,
  // so it is inconsistent; no verdict at all earns nothing whatever a judge would say.
  void add(LabelSet truth, std::optional<LabelSet> predicted, bool has_reasoning, const Answer* judged);

  // Group "reward": `paper`, the mean of the paper's reward (0 to 15), and the share of consistent verdicts.
  // Where the judge failed, the image is left out, and inside the range beside the value.
  Result<void> write(const Options& options, Summary& summary) const;

 private:
  std::vector<double> rewards_, consistent_;
  std::vector<double> best_rewards_;  // of the images that nobody judged, had they been consistent
};

}  // namespace awry::benchmarks::magicmirror
