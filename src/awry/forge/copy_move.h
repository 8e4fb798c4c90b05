// SPDX-License-Identifier: Apache-2.0
// Copy-move: an object of a panel appears a second time in the same panel.
#pragma once

#include <span>

#include "awry/base/result.h"
#include "awry/forge/quality.h"
#include "awry/forge/recipe.h"
#include "awry/imaging/image.h"
#include "awry/imaging/mask.h"
#include "awry/records/finding.h"

namespace awry::forge {

struct CopyMoveOptions {
  double min_area = 0.10, max_area = 0.60;  // of the object, as shares of the panel
  int feather_px = 2;                       // compose.h states the rule
  double max_self_overlap = 0.25;           // share of the object that its copy may cover
  double min_change = 4;                    // grey levels: a copy nobody could see is not a forgery
  // Given, of the panel's size: the object to copy, found by a person or a network. Otherwise objects.h
  // looks.
  const imaging::Bitmap* object = nullptr;
  QualityLimits quality;
  RejectionTally* tally = nullptr;  // counts candidates turned away, if given
};

struct CopyMove {
  imaging::Image image;
  imaging::Bitmap source, target;  // pixels outside `target` are those of the panel
  int dx = 0, dy = 0;              // from source to target, in whole pixels
  Finding truth;                   // a Pair within image 0; source and target both belong to it
  Recipe recipe;
};

// Chooses an object, then the farthest position from it on a grid of step max(20, min(width, height) / 2) of
// the object, with jitter, inside the panel and clear of `keep_clear`. An error when the panel offers none.
Result<CopyMove> forge_copy_move(const imaging::Image& panel, std::span<const Box> keep_clear,
                                 const SeedPath& seed, const CopyMoveOptions& options = {});

}  // namespace awry::forge
