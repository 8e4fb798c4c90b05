// SPDX-License-Identifier: Apache-2.0
// Panels that appear again anywhere in a collection: an index proposes pairs, the pair detector confirms
// them.
#pragma once

#include "awry/pipeline/inspect_images.h"

namespace awry::pipeline {

struct ReusedPanels {
  // A sample of two images each, confirmed pairs only, most certain first.
  std::vector<InspectedImage> pairs;
  std::size_t proposed = 0;   // by the index
  std::size_t undecided = 0;  // looked at, and left open
};

// Images that cannot be read are left out: inspect_images reports them.
ReusedPanels find_reused_panels(std::span<const Sample> samples, const InspectOptions& options);

}  // namespace awry::pipeline
