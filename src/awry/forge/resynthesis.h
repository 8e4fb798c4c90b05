// SPDX-License-Identifier: Apache-2.0
// Resynthesis: an object disappears, and the region is filled in again from its surroundings by classical
// means: diffusion from the rim, then grain as in the rest of the panel. No network is involved, so such
// items are never called AI-generated.
#pragma once

#include <span>

#include "awry/base/result.h"
#include "awry/forge/quality.h"
#include "awry/forge/recipe.h"
#include "awry/imaging/image.h"
#include "awry/imaging/mask.h"
#include "awry/records/finding.h"

namespace awry::forge {

struct ResynthesisOptions {
  double min_area = 0.02, max_area = 0.20;  // of the region, as shares of the panel
  double radius_px = 5;                     // how far the filling looks around
  double min_change = 5;                    // grey levels
  RejectionTally* tally = nullptr;
};

struct Resynthesis {
  imaging::Image image;
  imaging::Bitmap mask;  // pixels outside it are those of the panel
  Finding truth;
  Recipe recipe;
};

Result<Resynthesis> forge_resynthesis(const imaging::Image& panel, std::span<const Box> keep_clear,
                                      const SeedPath& seed, const ResynthesisOptions& options = {});

}  // namespace awry::forge
