// SPDX-License-Identifier: Apache-2.0
// Is a candidate motion a copy, judged by the grain that compression, blur or scaling left?
//
// What is left of the noise agrees at a correlation of 0.3 to 0.7 instead of 0.95, too little for a small
// window to prove anything. Wide windows still stand out from the same windows compared a few pixels off,
// where shapes that merely resemble each other (bands, lanes, nuclei) do nearly as well.
#pragma once

#include "awry/inspectors/forensics/copy_check.h"
#include "awry/inspectors/forensics/grain.h"

namespace awry::inspectors::forensics {

// `min_area` in pixels, as in check_copy. The candidate of the result is refined to half a pixel: halving an
// image halves odd shifts too.
Repeat check_grain_copy(const CopySubject& subject, const Grain& grain, const CopyCandidate& candidate,
                        double min_area);

}  // namespace awry::inspectors::forensics
