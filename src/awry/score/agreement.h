// SPDX-License-Identifier: Apache-2.0
// Agreement of raters beyond chance: Krippendorff's alpha, Gwet's AC1 and AC2, Cohen's and Fleiss' kappa.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "awry/base/result.h"

namespace awry::score {

inline constexpr double kNotRated = std::numeric_limits<double>::quiet_NaN();

// One row per unit, one column per rater. Categories without an order are numbered by the caller.
struct Ratings {
  std::size_t raters = 0;
  std::vector<double> values;  // unit by unit; kNotRated where a rater gave none

  std::size_t units() const { return raters == 0 ? 0 : values.size() / raters; }
};

struct Agreement {
  double value = 0;         // the coefficient: 1 is perfect, 0 is chance
  double observed = 0;      // agreement seen; for alpha, 1 - disagreement seen, in the measure's own units
  double expected = 0;      // agreement by chance, likewise
  std::size_t units = 0;    // units that entered the observed part: those rated at least twice
  std::size_t ratings = 0;  // ratings that entered
};

// All of these fail when `values` is not whole rows, a value is infinite, no unit is rated twice, or chance
// alone explains everything (every rating the same), where a coefficient is 0/0.

enum class Measurement { kNominal, kOrdinal, kInterval };
Result<Agreement> krippendorff_alpha(const Ratings& ratings, Measurement measurement);

enum class AgreementWeights {
  kIdentity,   // only equal ratings agree
  kLinear,     // 1 - |a-b| / range
  kQuadratic,  // 1 - (a-b)^2 / range^2
  kOrdinal,    // from the number of pairs of categories between a and b; values count by rank only
};

struct AgreementOptions {
  AgreementWeights weights = AgreementWeights::kIdentity;
  // The scale that raters could use, such as {1,2,3,4,5}. Gwet's and the weighted coefficients depend on it
  // even where a category was never chosen. Empty: the values that occur.
  std::vector<double> categories;
};

// AC1 with identity weights, AC2 with any other.
Result<Agreement> gwet_ac(const Ratings& ratings, const AgreementOptions& options = {});

// Two raters; units that either left out do not count.
Result<Agreement> cohen_kappa(const Ratings& ratings, const AgreementOptions& options = {});

// Any number of raters, who need not be the same ones or equally many for every unit.
Result<Agreement> fleiss_kappa(const Ratings& ratings, const AgreementOptions& options = {});

// The share of rating pairs within a unit that agree, weighted, averaged over units; no chance correction.
Result<Agreement> percent_agreement(const Ratings& ratings, const AgreementOptions& options = {});

}  // namespace awry::score
