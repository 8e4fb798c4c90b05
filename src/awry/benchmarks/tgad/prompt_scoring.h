// SPDX-License-Identifier: Apache-2.0
// What wording costs: the same images scored by maps that were made with other prompts.
#pragma once

#include <filesystem>
#include <string>

#include "awry/base/result.h"
#include "awry/benchmarks/tgad/map_scoring.h"
#include "awry/records/scoring.h"

namespace awry::benchmarks::tgad {

// `summary` holds the scores of the reference prompt. Adds
//   group "prompt/<folder>"           i_auroc, p_auroc and au_pro of each other prompt
//   group "object_anchor_collapse"    with_noun_spread, and with options.without_noun also without_noun_drop
//                                     and present (1 or 0; diagnostics.h says when)
Result<void> score_prompts(const std::filesystem::path& truth_folder, const MapScoringOptions& options,
                           Summary& summary);

}  // namespace awry::benchmarks::tgad
