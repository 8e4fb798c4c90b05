// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/apportion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace awry::forge {

std::vector<int> apportion(int total, std::span<const double> weights) {
  std::vector<int> shares(weights.size(), 0);
  if (weights.empty()) return shares;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (sum <= 0) {
    shares.front() = total;
    return shares;
  }
  std::vector<double> remainders;
  int given = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double exact = total * weights[i] / sum;
    shares[i] = static_cast<int>(std::floor(exact + 1e-9));
    remainders.push_back(exact - shares[i]);
    given += shares[i];
  }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return remainders[i]; });
  for (std::size_t i = 0; given < total; ++i, ++given) ++shares[order[i % order.size()]];
  return shares;
}

}  // namespace awry::forge
