// SPDX-License-Identifier: Apache-2.0
#include "awry/score/bri.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace awry::score {
namespace {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Result<std::vector<Range>> column_ranges(std::span<const std::vector<double>> models) {
  std::vector<Range> ranges(models.front().size());
  for (std::size_t row = 0; row < models.size(); ++row) {
    if (models[row].size() != ranges.size() || ranges.empty()) {
      return fail({.what = "cannot compute the balanced robustness index",
                   .why = fmt::format("model {} has {} columns, the first one {}", row + 1,
                                      models[row].size(), ranges.size()),
                   .hint = "Every model needs a score in every column."});
    }
    for (std::size_t column = 0; column < ranges.size(); ++column) {
      const double value = models[row][column];
      if (!std::isfinite(value)) {
        return fail(
            {.what = "cannot compute the balanced robustness index",
             .why = fmt::format("column {} of model {} is not a finite number", column + 1, row + 1)});
      }
      ranges[column].low = std::min(ranges[column].low, value);
      ranges[column].high = std::max(ranges[column].high, value);
    }
  }
  return ranges;
}

}  // namespace

Result<std::vector<double>> balanced_robustness(std::span<const std::vector<double>> models, double lambda) {
  if (models.empty()) return std::vector<double>{};
  AWRY_TRY_ASSIGN(const std::vector<Range> ranges, column_ranges(models));
  std::vector<double> indices;
  std::vector<double> scaled(ranges.size());
  for (const std::vector<double>& model : models) {
    for (std::size_t column = 0; column < ranges.size(); ++column) {
      const auto& [low, high] = ranges[column];
      scaled[column] = high > low ? (model[column] - low) / (high - low) : 0.0;
    }
    const double mean =
        std::accumulate(scaled.begin(), scaled.end(), 0.0) / static_cast<double>(scaled.size());
    const auto [least, most] = std::minmax_element(scaled.begin(), scaled.end());
    indices.push_back(mean - lambda * (*most - *least));
  }
  return indices;
}

}  // namespace awry::score
