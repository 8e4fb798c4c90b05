// SPDX-License-Identifier: Apache-2.0
// Set-of-marks: the model is shown a copy of each image with numbered boxes drawn on it.
//
// The file (option marks=FILE) holds one object per image: {"id": "elevator", "boxes": [[10, 10, 60, 40]]},
// as a list, as a list named "images", or as JSON lines. Boxes are read like true boxes. Truth stays as it
// is: the copies have the size of the originals.
#pragma once

#include "awry/base/result.h"
#include "awry/benchmarks/cave/cave.h"

namespace awry::benchmarks::cave {

// Draws the boxes and points the samples to the copies, which are kept in options.marked under a name made of
// the image's bytes and its boxes: the same marks are drawn once. Images without an entry, or with no boxes,
// are shown as they are, and a note counts them. An id that no sample has is an error.
Result<void> show_marks(Dataset& dataset, const Options& options);

}  // namespace awry::benchmarks::cave
