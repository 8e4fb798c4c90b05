// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/kinds.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace awry::benchmarks::magicmirror {
namespace {

void count_drawn(const Kinds& kinds, std::span<const std::uint32_t> drawn, std::span<std::uint32_t> counts) {
  std::ranges::fill(counts, 0);
  const std::span<const std::uint32_t> kind_of_unit = kinds.kind_of_unit();
  for (const std::uint32_t unit : drawn) ++counts[kind_of_unit[unit]];
}

// One kind after the other, out of what the kinds before it left over. `order` puts the frequent kinds
// first, so that the rare ones, which are many, share out a small remainder.
void draw_counts(const Kinds& kinds, std::span<const std::uint32_t> order, RandomStream stream,
                 std::span<std::uint32_t> counts) {
  std::uint64_t units_left = kinds.units();
  auto draws_left = static_cast<std::uint32_t>(kinds.units());
  for (const std::uint32_t kind : order) {
    const std::uint64_t here = kinds.counts()[kind];
    counts[kind] =
        draw_binomial(draws_left, static_cast<double>(here) / static_cast<double>(units_left), stream);
    draws_left -= counts[kind];
    units_left -= here;
  }
}

std::vector<std::uint32_t> frequent_first(std::span<const std::uint32_t> counts) {
  std::vector<std::uint32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return counts[a] > counts[b]; });
  return order;
}

}  // namespace

void Kinds::add(std::uint64_t kind) {
  const auto [found, is_new] = index_.try_emplace(kind, static_cast<std::uint32_t>(kinds_.size()));
  if (is_new) {
    kinds_.push_back(kind);
    counts_.push_back(0);
  }
  ++counts_[found->second];
  kind_of_unit_.push_back(found->second);
}

std::uint32_t draw_binomial(std::uint32_t trials, double probability, RandomStream& stream) {
  if (trials == 0 || probability <= 0) return 0;
  if (probability >= 1) return trials;
  if (probability > 0.5) return trials - draw_binomial(trials, 1 - probability, stream);
  const auto n = static_cast<double>(trials);
  const double odds = probability / (1 - probability);
  const double mode = std::floor((n + 1) * probability);
  double log_share = n * std::log1p(-probability);
  if (mode > 0) {
    log_share +=
        std::lgamma(n + 1) - std::lgamma(mode + 1) - std::lgamma(n - mode + 1) + mode * std::log(odds);
  }
  // Walks away from the mode in both directions until the shares passed add up to a uniform number.
  double above = mode, below = mode, share_above = std::exp(log_share), share_below = share_above;
  double left = stream.uniform() - share_above;
  while (left > 0 && (above < n || below > 0)) {
    if (above < n) {
      share_above *= (n - above) / (above + 1) * odds;
      ++above;
      left -= share_above;
      if (left <= 0) return static_cast<std::uint32_t>(above);
    }
    if (below > 0) {
      share_below *= below / (n - below + 1) / odds;
      --below;
      left -= share_below;
      if (left <= 0) return static_cast<std::uint32_t>(below);
    }
    // Rounding can leave a remainder that no share is large enough to use up.
    if (share_above < 1e-300 && share_below < 1e-300) break;
  }
  return static_cast<std::uint32_t>(mode);
}

std::vector<std::optional<Interval>> bootstrap_kinds(const Kinds& kinds, std::size_t metrics,
                                                     const KindMetrics& compute,
                                                     const score::BootstrapOptions& options) {
  std::vector<double> values(metrics);
  compute(kinds.counts(), values);

  const bool draw_units = kinds.units() <= kDrawnUnits;
  const std::vector<std::uint32_t> order = frequent_first(kinds.counts());
  const RandomStream named = RandomStream(options.seed).fork("resample");
  std::vector<std::uint32_t> drawn(draw_units ? kinds.units() : 0), counts(kinds.counts().size());
  std::vector<double> resample(metrics);
  std::vector<std::vector<double>> resampled(metrics, std::vector<double>(options.resamples));
  for (std::size_t number = 0; number < options.resamples; ++number) {
    if (draw_units) {
      score::draw_resample(options.seed, number, drawn);
      count_drawn(kinds, drawn, counts);
    } else {
      draw_counts(kinds, order, named.fork(number), counts);
    }
    compute(counts, resample);
    for (std::size_t metric = 0; metric < metrics; ++metric) resampled[metric][number] = resample[metric];
  }

  std::vector<std::optional<Interval>> intervals;
  for (std::size_t metric = 0; metric < metrics; ++metric) {
    const auto estimate =
        score::summarise_resamples(values[metric], kinds.units(), std::move(resampled[metric]), options);
    intervals.push_back(estimate ? std::optional(estimate->interval) : std::nullopt);
  }
  return intervals;
}

}  // namespace awry::benchmarks::magicmirror
