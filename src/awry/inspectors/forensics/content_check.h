// SPDX-License-Identifier: Apache-2.0
// Is a candidate motion a copy when compression, blur or scaling took the noise that would prove it?
//
// What is left are shapes, and shapes resemble each other: nuclei, bands, lanes. So two places count as
// copies only when they agree far better than either agrees with any third place of the image.
#pragma once

#include "awry/inspectors/forensics/copy_check.h"

namespace awry::inspectors::forensics {

// `min_area` in pixels, as in check_copy.
Repeat check_content_copy(const CopySubject& subject, const CopyCandidate& candidate, double min_area);

}  // namespace awry::inspectors::forensics
