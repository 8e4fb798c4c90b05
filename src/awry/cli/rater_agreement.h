// SPDX-License-Identifier: Apache-2.0
// Every coefficient of agreement that a set of ratings allows, each with a bootstrap interval over units.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "awry/base/cancel.h"
#include "awry/cli/ratings_sheet.h"
#include "awry/records/scoring.h"

namespace awry::cli {

struct Coefficient {
  std::string key;    // "alpha_ordinal"
  std::string label;  // "Krippendorff's alpha"
  std::string level;  // what is taken from a rating: "nominal", "ordinal", "interval"
  std::optional<score::Agreement> agreement;
  std::string undefined;  // why there is none
  std::optional<Interval> interval;
  std::string signature;
};

struct PairAgreement {
  std::size_t first = 0, second = 0;  // raters
  std::size_t units = 0;              // that both rated
  std::optional<double> kappa, spearman, pearson;
  std::optional<Interval> spearman_interval, pearson_interval;
};

struct RaterAgreementOptions {
  std::size_t resamples = 1000;  // 0: no intervals
  std::uint64_t seed = 1;
  const CancelToken* cancel = nullptr;
};

// Names allow the nominal ones, ordered categories also the ordinal ones, numbers all.
std::vector<Coefficient> agreement_coefficients(const NumberedRatings& ratings,
                                                const RaterAgreementOptions& options);

std::vector<PairAgreement> pairwise_agreement(const NumberedRatings& ratings,
                                              const RaterAgreementOptions& options);

}  // namespace awry::cli
