// SPDX-License-Identifier: Apache-2.0
// What the first round of questions and the later ones share.
#pragma once

#include <string>
#include <string_view>

#include "awry/benchmarks/cave/cave.h"
#include "awry/benchmarks/prompts.h"

namespace awry::benchmarks::cave {

inline constexpr int kDrafts = 3;        // of self-consistency
inline constexpr int kEnoughDrafts = 2;  // that say the same: fewer usable ones cannot be merged

Question question_about(const Sample& sample, std::string_view kind, std::string id, const Options& options);

}  // namespace awry::benchmarks::cave
