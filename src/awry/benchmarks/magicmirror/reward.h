// SPDX-License-Identifier: Apache-2.0
// MagicMirror's reward for training an assessor: format, then L1, L2 and L3, each worth half the one before.
#pragma once

#include <optional>

#include "awry/benchmarks/magicmirror/labels.h"

namespace awry::benchmarks::magicmirror {

struct Reward {
  double format = 0, level1 = 0, level2 = 0, level3 = 0;  // each 0..1
  double consistency = 1;                                 // 0 or 1

  double total() const { return consistency * (8 * format + 4 * level1 + 2 * level2 + level3); }
  bool operator==(const Reward&) const = default;
};

// `predicted` is nullopt when the reply's format is invalid: everything is 0 then.

// As the paper's appendix defines it: at most 15. A set of labels is worth 1 when it is exactly the true
// one, also when both are empty; 0 when nothing was predicted; otherwise 0.6 for each right label less 0.3
// for each missed or extra one, kept within 0..1. `consistent`: a judge found the reasoning to lead to the
// verdict; otherwise the whole reward is lost.
Reward paper_reward(LabelSet truth, std::optional<LabelSet> predicted, bool consistent = true);

// As the authors' code computes it. It differs: a wrong L1 leaves 8 whatever else was right; a normal image
// earns nothing at L2 and L3, so at most 12; L3 counts only under the L2 that both name, and only when L2
// earned something; consistency is not part of it.
Reward released_reward(LabelSet truth, std::optional<LabelSet> predicted);

}  // namespace awry::benchmarks::magicmirror
