// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/greedy_matching.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace awry::inspectors::networks {
namespace {

double weighted_mean(std::span<const float> values, std::span<const float> weights) {
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += static_cast<double>(values[i]) * weights[i];
    total += weights[i];
  }
  return total > 0 ? sum / total : 0;
}

}  // namespace

BertScore match_greedily(const Cosines& cosines, std::span<const float> row_weights,
                         std::span<const float> column_weights) {
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  std::vector<float> best_of_row(cosines.rows, kLowest), best_of_column(cosines.columns, kLowest);
  for (std::size_t i = 0; i < cosines.rows; ++i) {
    const float* const row = cosines.first + i * cosines.stride;
    float best = kLowest;
    for (std::size_t j = 0; j < cosines.columns; ++j) {
      best = std::max(best, row[j]);
      best_of_column[j] = std::max(best_of_column[j], row[j]);
    }
    best_of_row[i] = best;
  }
  const double precision = weighted_mean(best_of_row, row_weights);
  const double recall = weighted_mean(best_of_column, column_weights);
  const double sum = precision + recall;
  const double f1 = sum == 0 ? 0 : 2 * precision * recall / sum;
  return {static_cast<float>(precision), static_cast<float>(recall),
          std::isfinite(f1) ? static_cast<float>(f1) : 0.0F};
}

void normalise_rows(std::span<float> rows, std::size_t width) {
  for (std::size_t begin = 0; begin + width <= rows.size(); begin += width) {
    const std::span<float> row = rows.subspan(begin, width);
    double squares = 0;
    for (const float value : row) squares += static_cast<double>(value) * value;
    const auto scale = static_cast<float>(squares > 0 ? 1 / std::sqrt(squares) : 0);
    for (float& value : row) value *= scale;
  }
}

}  // namespace awry::inspectors::networks
