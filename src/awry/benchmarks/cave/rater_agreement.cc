// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/cave/rater_agreement.h"

#include <cmath>
#include <limits>

#include "awry/score/correlation.h"

namespace awry::benchmarks::cave {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// Units that both rated, for every two raters; a pair for which rho is undefined makes the mean so.
double mean_spearman(const score::Ratings& ratings) {
  double sum = 0, pairs = 0;
  for (std::size_t a = 0; a < ratings.raters; ++a) {
    for (std::size_t b = a + 1; b < ratings.raters; ++b) {
      std::vector<double> first, second;
      for (std::size_t row = 0; row < ratings.values.size(); row += ratings.raters) {
        const double x = ratings.values[row + a], y = ratings.values[row + b];
        if (!std::isnan(x) && !std::isnan(y)) first.push_back(x), second.push_back(y);
      }
      if (first.empty()) continue;
      const auto rho = score::spearman(first, second);
      if (!rho) return kUndefined;
      sum += *rho, ++pairs;
    }
  }
  return pairs > 0 ? sum / pairs : kUndefined;
}

double value_or_undefined(const Result<score::Agreement>& agreement) {
  return agreement ? agreement->value : kUndefined;
}

std::size_t rated_twice(const RaterTable& table) {
  std::size_t units = 0;
  for (const auto& rows : table.by_image) {
    for (std::size_t row = 0; row < rows.size(); row += table.raters) {
      std::size_t given = 0;
      for (std::size_t i = row; i < row + table.raters; ++i) given += !std::isnan(rows[i]);
      units += given >= 2;
    }
  }
  return units;
}

}  // namespace

score::Ratings RaterTable::of(std::span<const std::uint32_t> images) const {
  score::Ratings ratings{.raters = raters};
  for (const std::uint32_t image : images) {
    ratings.values.insert(ratings.values.end(), by_image[image].begin(), by_image[image].end());
  }
  return ratings;
}

Result<void> write_agreement(Board& board, std::string_view group, const RaterTable& table,
                             const std::vector<double>& scale) {
  if (table.raters < 2) return {};
  const std::size_t units = rated_twice(table);
  if (units == 0) return {};
  const score::AgreementOptions quadratic = {.weights = score::AgreementWeights::kQuadratic,
                                             .categories = scale};
  struct Coefficient {
    std::string_view key, metric;
    std::function<double(const score::Ratings&)> value;
  };
  const std::array coefficients = {
      Coefficient{"spearman", "mean-pairwise-spearman", mean_spearman},
      Coefficient{"alpha_ordinal", "krippendorff-alpha-ordinal",
                  [](const score::Ratings& ratings) {
                    return value_or_undefined(
                        score::krippendorff_alpha(ratings, score::Measurement::kOrdinal));
                  }},
      Coefficient{"ac2", "gwet-ac2-quadratic", [&](const score::Ratings& ratings) {
                    return value_or_undefined(score::gwet_ac(ratings, quadratic));
                  }}};
  for (const Coefficient& coefficient : coefficients) {
    const score::Signature signature = board.signature("raters", coefficient.metric);
    AWRY_TRY(board.write_statistic(
        {group, coefficient.key, signature}, units,
        [&](std::span<const std::uint32_t> drawn) { return coefficient.value(table.of(drawn)); },
        std::nullopt));
  }
  return {};
}

}  // namespace awry::benchmarks::cave
