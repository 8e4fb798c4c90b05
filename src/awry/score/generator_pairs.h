// SPDX-License-Identifier: Apache-2.0
// Is one generator really worse than another? Compared on the prompts that both painted, pair by pair.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/score/correlation.h"
#include "awry/score/generator_audit.h"
#include "awry/score/significance.h"

namespace awry::score {

struct PromptedAudit {
  std::string prompt;  // empty: not known, so the image is in no pair
  ImageAudit audit;
};

// CAP of the second generator minus CAP of the first, over the prompts that both have; several images of a
// prompt count as their mean. The bootstrap draws prompts, and with each both generators' images. Fewer than
// two common prompts is an error of kind kNotFound.
Result<PairedDifference> compare_caps(std::span<const PromptedAudit> first,
                                      std::span<const PromptedAudit> second,
                                      const BootstrapOptions& options = {});

// How far two assessors agree on the order of generators; only those that both have count.
Result<RankAgreement> compare_rankings(const std::map<std::string, double>& first,
                                       const std::map<std::string, double>& second);

}  // namespace awry::score
