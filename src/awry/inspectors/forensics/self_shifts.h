// SPDX-License-Identifier: Apache-2.0
// Shifts by which an image repeats itself, exactly rather than by its rhythm.
//
// Lanes, weaves and rulers agree with themselves at many shifts, and about as well a pixel or two beside each
// of them: in the spectrum their energy sits in a few lines. Once every frequency is brought to the level of
// its neighbours, such rhythms fade, while a copy, whose noise agrees at one shift and nowhere beside it,
// stays a needle however well the rest of the image resembles itself.
#pragma once

#include <vector>

#include "awry/inspectors/forensics/shift_search.h"

namespace awry::inspectors::forensics {

struct SelfShiftOptions {
  int max_peaks = 3;
  double min_deviations = 5.5;  // chance among all shifts of a panel stays below 5
  double min_distance = 16;     // between an original and its copy, in pixels
  double min_overlap = 0.02;    // of the image
};

// Every shift is one there and one back; only one of the two is returned. ShiftPeak::height and ::deviations
// are in units of what is usual among all shifts, and among those nearby.
std::vector<ShiftPeak> find_self_shifts(const Spectrum& spectrum, const SelfShiftOptions& options);

}  // namespace awry::inspectors::forensics
