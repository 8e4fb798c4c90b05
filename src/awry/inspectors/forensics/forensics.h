// SPDX-License-Identifier: Apache-2.0
// The embedded inspector: classical detectors, no network and no downloads.
//
//   one image   does a place repeat another?  -> "copy_move"
//               does a seam surround a place? -> "splicing", which finds few splices (splicing.h)
//               was a place smoothed, or does it alone carry colour? -> "smoothing", "stray_colour"
//   two images  do the panels share content?  -> "duplication"
//   with words  do they fit the figure?       -> "numerical_inconsistency" and others (text_figure.h)
#pragma once

#include <memory>

#include "awry/inspectors/inspection.h"

namespace awry::inspectors::forensics {

// Named "forensics". Asking about anything but one or two images is an error, as is an unreadable image.
std::unique_ptr<Inspector> make_forensic_inspector();

}  // namespace awry::inspectors::forensics
