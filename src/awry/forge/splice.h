// SPDX-License-Identifier: Apache-2.0
// Splicing: an object of one panel, the donor, appears in another, the host.
#pragma once

#include <span>

#include "awry/base/result.h"
#include "awry/forge/quality.h"
#include "awry/forge/recipe.h"
#include "awry/imaging/image.h"
#include "awry/imaging/mask.h"
#include "awry/records/finding.h"

namespace awry::forge {

struct SpliceOptions {
  double min_area = 0.05, max_area = 0.60;  // of the object, as shares of the host
  int feather_px = 3;                       // compose.h states the rule
  // How far the object may move from its place in the donor, as shares of the sides.
  double max_shift_x = 0.10, max_shift_y = 0.10;
  bool drawn = false;     // objects.h
  double min_change = 6;  // grey levels: a splice nobody could see is not a forgery
  QualityLimits quality;
  RejectionTally* tally = nullptr;  // counts candidates turned away, if given
};

// A panel and what in it must stay out of the game: scale bars, labels.
struct SpliceSource {
  const imaging::Image& image;
  std::span<const Box> keep_clear;
};

struct Splice {
  imaging::Image image;
  imaging::Bitmap mask;       // pixels outside it are those of the host
  Transform host_from_donor;  // where the donor's pixels went
  Finding truth;              // a Mask in image 0
  Recipe recipe;
};

// The donor is brought to the host's size, its largest object found (objects.h), moved a little and blended
// in.
Result<Splice> forge_splice(const SpliceSource& donor, const SpliceSource& host, const SeedPath& seed,
                            const SpliceOptions& options = {});

}  // namespace awry::forge
