// SPDX-License-Identifier: Apache-2.0
// How many words two texts share: 2 |A n B| / (|A| + |B|) over multisets of case-folded word tokens.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "awry/score/sets.h"

namespace awry::score {

MatchCounts compare_words(std::string_view predicted, std::string_view truth);
double text_f1(std::string_view predicted, std::string_view truth);

// Several sentences on each side are pooled: how they were split does not matter.
double text_f1(std::span<const std::string> predicted, std::span<const std::string> truth);

}  // namespace awry::score
