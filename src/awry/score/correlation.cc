// SPDX-License-Identifier: Apache-2.0
#include "awry/score/correlation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace awry::score {
namespace {

Result<void> check_pairs(std::span<const double> x, std::span<const double> y) {
  constexpr auto kWhat = "cannot correlate";
  if (x.size() != y.size()) {
    return fail({.what = kWhat, .why = fmt::format("{} values against {}", x.size(), y.size())});
  }
  if (x.size() < 2) {
    return fail({.what = kWhat, .why = fmt::format("two items are needed, there are {}", x.size())});
  }
  for (const auto values : {x, y}) {
    const auto bad = std::ranges::find_if_not(values, [](double value) { return std::isfinite(value); });
    if (bad != values.end()) {
      return fail({.what = kWhat, .why = fmt::format("item {} is {}", bad - values.begin(), *bad)});
    }
    if (std::ranges::all_of(values, [&](double value) { return value == values[0]; })) {
      return fail({.what = "correlation is undefined", .why = fmt::format("every item is {}", values[0])});
    }
  }
  return {};
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double pearson_of_checked(std::span<const double> x, std::span<const double> y) {
  const double mean_x = mean(x), mean_y = mean(y);
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = x[i] - mean_x, dy = y[i] - mean_y;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  // The roots apart: the product of two tiny variances would underflow.
  return std::clamp(xy / std::sqrt(xx) / std::sqrt(yy), -1.0, 1.0);
}

std::vector<std::size_t> ascending(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  return order;
}

// Pairs inside runs of equal neighbours.
template <class Equal>
std::uint64_t tied_pairs(std::size_t size, Equal&& equal_to_previous) {
  std::uint64_t pairs = 0, run = 1;
  for (std::size_t i = 1; i <= size; ++i) {
    if (i < size && equal_to_previous(i)) {
      ++run;
    } else {
      pairs += run * (run - 1) / 2;
      run = 1;
    }
  }
  return pairs;
}

// Sorts, and says how many pairs were in the wrong order (merge sort; equal values are in order).
std::uint64_t sort_counting_inversions(std::span<double> values, std::span<double> scratch) {
  if (values.size() < 2) return 0;
  const std::size_t half = values.size() / 2;
  std::uint64_t inversions = sort_counting_inversions(values.first(half), scratch.first(half)) +
                             sort_counting_inversions(values.subspan(half), scratch.subspan(half));
  std::size_t left = 0, right = half;
  for (double& out : scratch) {
    const bool take_left = right == values.size() || (left < half && values[left] <= values[right]);
    if (!take_left) inversions += half - left;
    out = take_left ? values[left++] : values[right++];
  }
  std::ranges::copy(scratch, values.begin());
  return inversions;
}

struct PairOrders {
  std::uint64_t alike = 0, opposed = 0;  // pairs distinct in both lists
  std::uint64_t distinct_x = 0, distinct_y = 0;
};

// Knight's method: sort by x, then count what sorting by y has to swap.
PairOrders compare_pair_orders(std::span<const double> x, std::span<const double> y) {
  const std::size_t size = x.size();
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order,
                    [&](std::size_t a, std::size_t b) { return x[a] != x[b] ? x[a] < x[b] : y[a] < y[b]; });

  std::vector<double> by_x(size), scratch(size);
  for (std::size_t i = 0; i < size; ++i) by_x[i] = y[order[i]];
  const auto same_x = [&](std::size_t i) { return x[order[i]] == x[order[i - 1]]; };
  const auto same_y = [&](std::size_t i) { return by_x[i] == by_x[i - 1]; };

  const std::uint64_t pairs = static_cast<std::uint64_t>(size) * (size - 1) / 2;
  const std::uint64_t tied_x = tied_pairs(size, same_x);
  const std::uint64_t tied_both = tied_pairs(size, [&](std::size_t i) { return same_x(i) && same_y(i); });
  const std::uint64_t opposed = sort_counting_inversions(by_x, scratch);
  const std::uint64_t tied_y = tied_pairs(size, same_y);  // by_x is now sorted by y
  return {.alike = pairs - tied_x - tied_y + tied_both - opposed,
          .opposed = opposed,
          .distinct_x = pairs - tied_x,
          .distinct_y = pairs - tied_y};
}

double tau_b(const PairOrders& orders) {
  return (static_cast<double>(orders.alike) - static_cast<double>(orders.opposed)) /
         std::sqrt(static_cast<double>(orders.distinct_x)) /
         std::sqrt(static_cast<double>(orders.distinct_y));
}

}  // namespace

std::vector<double> mid_ranks(std::span<const double> values) {
  const std::vector<std::size_t> order = ascending(values);
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double rank = static_cast<double>(begin + 1 + end) / 2;
    for (; begin < end; ++begin) ranks[order[begin]] = rank;
  }
  return ranks;
}

Result<double> pearson(std::span<const double> x, std::span<const double> y) {
  AWRY_TRY(check_pairs(x, y));
  return pearson_of_checked(x, y);
}

Result<double> spearman(std::span<const double> x, std::span<const double> y) {
  AWRY_TRY(check_pairs(x, y));
  return pearson_of_checked(mid_ranks(x), mid_ranks(y));
}

Result<double> kendall_tau_b(std::span<const double> x, std::span<const double> y) {
  AWRY_TRY(check_pairs(x, y));
  return tau_b(compare_pair_orders(x, y));
}

Result<RankAgreement> rank_agreement(std::span<const double> x, std::span<const double> y) {
  AWRY_TRY(check_pairs(x, y));
  const PairOrders orders = compare_pair_orders(x, y);
  const std::uint64_t comparable = orders.alike + orders.opposed;
  return RankAgreement{
      .pearson = pearson_of_checked(x, y),
      .spearman = pearson_of_checked(mid_ranks(x), mid_ranks(y)),
      .kendall_tau_b = tau_b(orders),
      .pairs_ordered_alike =
          comparable == 0 ? 0.5 : static_cast<double>(orders.alike) / static_cast<double>(comparable),
      .items = x.size()};
}

}  // namespace awry::score
