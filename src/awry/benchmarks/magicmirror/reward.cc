// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/reward.h"

#include <algorithm>

namespace awry::benchmarks::magicmirror {
namespace {

double partial(LabelSet truth, LabelSet predicted) {
  const int correct = (truth & predicted).size();
  const int wrong = truth.without(predicted).size() + predicted.without(truth).size();
  return std::clamp(0.6 * correct - 0.3 * wrong, 0.0, 1.0);
}

double paper_level(LabelSet truth, LabelSet predicted) {
  if (truth == predicted) return 1;
  return predicted.size() == 0 ? 0 : partial(truth, predicted);
}

double released_level(LabelSet truth, LabelSet predicted) {
  return truth == predicted && truth.size() > 0 ? 1 : partial(truth, predicted);
}

}  // namespace

Reward paper_reward(LabelSet truth, std::optional<LabelSet> predicted, bool consistent) {
  if (!predicted) return {.consistency = consistent ? 1.0 : 0.0};
  return {.format = 1,
          .level1 = truth.is_normal() == predicted->is_normal() ? 1.0 : 0.0,
          .level2 = paper_level(truth.level2(), predicted->level2()),
          .level3 = paper_level(truth.level3(), predicted->level3()),
          .consistency = consistent ? 1.0 : 0.0};
}

Reward released_reward(LabelSet truth, std::optional<LabelSet> predicted) {
  if (!predicted) return {};
  Reward reward{.format = 1};
  if (truth.is_normal() != predicted->is_normal()) return reward;
  reward.level1 = 1;
  if (truth.is_normal()) return reward;
  reward.level2 = released_level(truth.level2(), predicted->level2());
  if (reward.level2 == 0) return reward;
  LabelSet true3, predicted3;
  for (std::size_t i = 0; i < kLevel2.size(); ++i) {
    const auto level2 = static_cast<Level2>(i);
    if (!truth.has(level2) || !predicted->has(level2)) continue;
    true3 = true3 | truth.level3_of(level2);
    predicted3 = predicted3 | predicted->level3_of(level2);
  }
  reward.level3 = released_level(true3, predicted3);
  return reward;
}

}  // namespace awry::benchmarks::magicmirror
