// SPDX-License-Identifier: Apache-2.0
// The embedded inspector: classical detectors, no network and no downloads.
//
//   one image   does a place repeat another?  -> "copy_move"
//   two images  do the panels share content?  -> "duplication"
// Splicing is not looked for: no detector tried so far told spliced from authentic panels. It is not listed
// as undecided either: that word is for what was looked for, and a protocol would have to answer "not sure"
// of every authentic panel.
#pragma once

#include <memory>

#include "awry/inspectors/inspection.h"

namespace awry::inspectors::forensics {

// Named "forensics". Asking about anything but one or two images is an error, as is an unreadable image.
std::unique_ptr<Inspector> make_forensic_inspector();

}  // namespace awry::inspectors::forensics
