// SPDX-License-Identifier: Apache-2.0
// What an assessor's answers would have earned in training: the mean reward over images, as the paper defines
// it and as the released code computes it.
#pragma once

#include "awry/base/result.h"
#include "awry/benchmarks/magicmirror/classification.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"
#include "awry/records/scoring.h"

namespace awry::benchmarks::magicmirror {

// Group "reward": `paper` (0 to 15) and `released` (0 to 15, for a normal image at most 12). Nobody has
// judged whether reasoning and verdict agree, so `paper` takes it that they do and says so in its signature;
// with consistency=true it is left to Rewards, which knows.
Result<void> summarise_rewards(const LabelledImages& images, const Options& options, Summary& summary);

}  // namespace awry::benchmarks::magicmirror
