// SPDX-License-Identifier: Apache-2.0
// TGAD: does text guide anomaly detection? (README.md)
//
// Models of this protocol answer with anomaly maps, not with words: maps are scored from folders
// (map_scoring.h), and nothing is asked. The protocol's value exists for the leaderboard; asking it says
// where to go instead.
#pragma once

#include <span>

#include "awry/base/result.h"
#include "awry/benchmarks/protocol.h"

namespace awry::benchmarks::tgad {

extern const Protocol kProtocol;

// Option table: "prompts" (MVTec AD with varied prompts; the default), "parts" (EV1 and EV2), "panel"
// (Assembled Panel), "panel_resized", "panel_padded". Runs are summaries of score_map_folder. Best decision
// first: by i_auroc, for parts by ev2_i_auroc.
Result<Leaderboard> leaderboard(std::span<const ScoredRun> runs, const ProtocolOptions& options);

}  // namespace awry::benchmarks::tgad
