// SPDX-License-Identifier: Apache-2.0
// How much a finding deserves to be looked at, by how rarely chance shows the like in authentic images.
#pragma once

#include <span>
#include <string_view>

#include "awry/records/finding.h"

namespace awry::report {

enum class Band {
  kStrong,  // at most 1e-12 expected false alarms, or a probability of 99%
  kClear,   // at most 1e-3, or 90%: the default operating point
  kFaint,   // anything else
};
Band band_of(const Finding& finding);
std::string_view name_of(Band band);  // "strong"

// A detector said how sure it is; what models and people report has no band.
bool has_band(const Finding& finding);
// Faint by the detector's own word: folded away, but counted.
bool is_faint(const Finding& finding);
// Nothing, or nothing but faint traces.
bool is_quiet(std::span<const Finding> findings);

}  // namespace awry::report
