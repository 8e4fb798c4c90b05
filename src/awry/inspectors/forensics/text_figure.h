// SPDX-License-Identifier: Apache-2.0
// Do the words around a figure fit it, and one another? Without a model: only what can be counted, measured
// or compared is checked, and where nothing could be, the answer is left open.
//
//   caption and sentences against each other   the same quantity told twice, "12 of 48 (30%)", panel letters
//   words against words in the picture         scale bars
//   words against the chart                    values and courses, where axes, legend and bars can be read
#pragma once

#include <span>

#include "awry/imaging/image.h"
#include "awry/inspectors/inspection.h"
#include "awry/reading/lettering.h"
#include "awry/records/sample.h"

namespace awry::inspectors::forensics {

// Types: "numerical_inconsistency", "trend_inconsistency" and "missing_panel". Finding::where is the clause
// concerned. The first two are undecided when no claim could be checked, or only contradictions too small to
// trust were met.
Inspection check_words(const imaging::Image& figure, std::span<const reading::Word> lettering,
                       std::span<const Passage> passages);

}  // namespace awry::inspectors::forensics
