// SPDX-License-Identifier: Apache-2.0
// One flaw, told several times, becomes one candidate; two that exclude each other stay two and say so.
#pragma once

#include <vector>

#include "awry/agents/candidate.h"

namespace awry::agents {

struct MergedCandidates {
  std::vector<Candidate> kept;
  std::vector<Candidate> joined;  // near-duplicates, each with joined_into
};

// Near-duplicates join the earliest of them, which names them among its sources and takes the fuller wording
// and the lower severity. Those that contradict each other are kept, each naming the other.
MergedCandidates merge_candidates(std::vector<Candidate> candidates);

}  // namespace awry::agents
