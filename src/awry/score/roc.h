// SPDX-License-Identifier: Apache-2.0
// Exact area under the ROC curve of scored items (images, answers): the chance that a positive item
// scores above a negative one, a tie counting half. Pixels go through map_scores.h.
#pragma once

#include <cstdint>
#include <span>

#include "awry/base/result.h"
#include "awry/score/bootstrap.h"

namespace awry::score {

// labels[i] != 0 marks item i as positive (anomalous). Fails when the lengths differ, when a score is NaN,
// or when one of the two kinds is missing, because then there is nothing to rank. Infinities are scores.
Result<double> auroc(std::span<const double> scores, std::span<const std::uint8_t> labels);

// The same with an interval over resampled items. A resample without both kinds has no area and counts as
// undefined.
Result<BootstrapEstimate> bootstrap_auroc(std::span<const double> scores,
                                          std::span<const std::uint8_t> labels,
                                          const BootstrapOptions& options = {});

}  // namespace awry::score
