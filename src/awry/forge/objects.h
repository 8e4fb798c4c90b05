// SPDX-License-Identifier: Apache-2.0
// What in a panel is worth cutting out: classical segmentation first, a smooth patch where a panel has no
// compact object of its own.
#pragma once

#include <span>
#include <vector>

#include "awry/base/random.h"
#include "awry/forge/recipe.h"
#include "awry/imaging/image.h"
#include "awry/imaging/mask.h"
#include "awry/records/region.h"

namespace awry::forge {

struct ObjectOptions {
  double min_area = 0.10, max_area = 0.60;  // shares of the panel
  // Shares of its convex hull an object must fill: webs of thin threads do not pass for objects.
  double min_solidity = 0.55;
  int max_found = 6;  // by segmentation; as many patches may follow
  // Ink on paper: outlines are followed to the pixel, and patches are windows whose edges meet little ink.
  bool drawn = false;
  // Given, of the panel's size: the drawing that windows will be pasted into, at the same place. Those are
  // taken whose edge shows the same in both, so that no line is cut off.
  const imaging::Image* host = nullptr;
};

struct Object {
  imaging::Bitmap mask;  // one piece, without holes, clear of `keep_clear` and of the panel's edge
  Operation found_by;    // "otsu", "adaptive_threshold", "smooth_patch" or "window"
};

// Candidates, best first: those of Otsu's threshold at growing blur (5x5 closing, then opening, largest
// component first), those of an adaptive threshold, then smooth patches. May be empty: a panel can be too
// small, or too full of what must be kept clear.
std::vector<Object> find_objects(const imaging::Image& panel, std::span<const Box> keep_clear,
                                 const ObjectOptions& options, RandomStream random);

}  // namespace awry::forge
