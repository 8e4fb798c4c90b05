// SPDX-License-Identifier: Apache-2.0
// Where in an image a seam may run.
#pragma once

#include <opencv2/core.hpp>

#include "awry/inspectors/forensics/seam_network.h"

namespace awry::inspectors::forensics {

inline constexpr int kSeamMapStep = 2;  // pixels of the image per place of the map

// Log odds of a seam, of any direction, through every second pixel. Places near the edge of the image, where
// no profile fits, get kNoSeam.
inline constexpr float kNoSeam = -8;
cv::Mat1f seam_map(const SeamSubject& subject, const SeamNetwork& network = tuned_seam_network());

}  // namespace awry::inspectors::forensics
