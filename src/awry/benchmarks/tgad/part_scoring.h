// SPDX-License-Identifier: Apache-2.0
// EV1 and EV2: does an instruction to inspect one part make a model ignore defects elsewhere?
//
// Maps answer an instruction, so each set of tags has maps of its own, <maps>/<tags>/..., such as
// <maps>/cable1_cable3/cable/test/...; where a set has no such folder, `maps` itself answers it: a model that
// was given no instruction, or that ignores it.
#pragma once

#include <filesystem>

#include "awry/base/result.h"
#include "awry/benchmarks/tgad/map_scoring.h"
#include "awry/records/scoring.h"

namespace awry::benchmarks::tgad {

// Adds for every set of tags the groups "<tags>/ev1" and "<tags>/ev2" with i_auroc, p_auroc and au_pro, and
// "<tags>/drop" with ev1 - ev2; their means by number of parts, "1_part/ev1" and so on, and over all sets,
// "parts/ev1"; and one note per number of parts where decision and localisation come apart. Pixel metrics are
// those of the images whose defects lie exactly in the instructed parts, so EV1 and EV2 share them.
Result<void> score_parts(const std::filesystem::path& truth_folder, const std::filesystem::path& maps_folder,
                         const MapScoringOptions& options, Summary& summary);

}  // namespace awry::benchmarks::tgad
