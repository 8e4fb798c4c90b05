// SPDX-License-Identifier: Apache-2.0
// Severities from 0 to 100 and ratings on short scales, as models write them.
#pragma once

#include <string_view>

#include "awry/parse/parsed.h"

namespace awry::parse {

// "25", "5/100 (highly unrealistic)", "Severity: 40 out of 100", "30%", "3/10" (scaled, and noted).
// Unparsable: words alone, ranges ("20-30"), two different numbers, values outside 0..100, and fractions up
// to one without a denominator: "0.25" may mean 25 on a 0..1 scale or a quarter of a point.
Result<Parsed<double>> read_severity(std::string_view text);

struct RatingScale {
  int low = 1, high = 5;
};

// A whole number on the scale: "4", "4/5", "Score: 4 (High concern)", "[4]". A denominator other than the
// scale's end, a fraction or a value off the scale is unparsable.
Result<Parsed<int>> read_rating(std::string_view text, RatingScale scale = {});

}  // namespace awry::parse
