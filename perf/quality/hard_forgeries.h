// SPDX-License-Identifier: Apache-2.0
// Forgeries beyond THEMIS's recipe: free angles, small overlaps, scaling with cropping, several operations at
// once, several clones; and authentic pairs that are hard to tell from copies.
#pragma once

#include <utility>

#include "awry/base/result.h"
#include "awry/forge/duplicate.h"
#include "awry/forge/recipe.h"
#include "sources.h"

namespace awry::quality {

// Two panels cut from one picture: the second lies anywhere at any angle, is scaled, mirrored and retouched,
// and repeats 15 to 30% of the first.
Result<forge::DuplicatePair> duplicate_freely(const imaging::Image& picture, int width, int height,
                                              const forge::SeedPath& seed);

struct HardCopyMove {
  imaging::Image image;
  imaging::Bitmap places;  // the original and all its copies
};

// One object of 3 to 12% of the panel: turned, scaled or mirrored once, or cloned twice as it is.
Result<HardCopyMove> copy_move_freely(const Source& panel, const forge::SeedPath& seed);

// One scene recorded twice: what it shows moves a little between the frames and the noise is new in each.
std::pair<imaging::Image, imaging::Image> neighbouring_frames(const imaging::Image& scene,
                                                              const forge::SeedPath& seed);

}  // namespace awry::quality
