// SPDX-License-Identifier: Apache-2.0
// Which motion do the most keypoint matches agree on, and could they agree by chance?
#pragma once

#include <span>
#include <vector>

#include "awry/inspectors/forensics/geometry.h"
#include "awry/inspectors/forensics/keypoints.h"

namespace awry::inspectors::forensics {

struct Consensus {
  Motion motion = Motion::eye();  // a similarity without mirroring
  std::vector<int> inliers;       // indices into the matches
  double log10_false_alarms = 0;  // expected number of motions as well supported among random matches
};

struct ConsensusOptions {
  double tolerance_px = 3;
  int max_motions = 3;  // disagreeing motions to return, best supported first
  double max_log10_false_alarms = 0;
};

// A keypoint has a size and a direction, so a single match already names a motion: every match is tried
// (no random sampling, hence the same answer every time), the best are refined by least squares.
// Matches used by one motion are not available to the next.
std::vector<Consensus> find_consensus(const Keypoints& first, const Keypoints& second,
                                      std::span<const Match> matches, cv::Size second_size,
                                      const ConsensusOptions& options = {});

}  // namespace awry::inspectors::forensics
