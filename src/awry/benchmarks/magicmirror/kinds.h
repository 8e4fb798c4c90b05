// SPDX-License-Identifier: Apache-2.0
// Many units that fall into few kinds, and a bootstrap that counts kinds instead of visiting units.
//
// An image's part in every metric here is settled by a handful of bits: its labels and its verdict. So a
// resample is the number of times each kind was drawn, and all metrics are computed from those numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "awry/base/random.h"
#include "awry/records/scoring.h"
#include "awry/score/bootstrap.h"

namespace awry::benchmarks::magicmirror {

class Kinds {
 public:
  void add(std::uint64_t kind);

  std::size_t units() const { return kind_of_unit_.size(); }
  std::span<const std::uint64_t> kinds() const { return kinds_; }                // in the order first met
  std::span<const std::uint32_t> counts() const { return counts_; }              // parallel to kinds()
  std::span<const std::uint32_t> kind_of_unit() const { return kind_of_unit_; }  // indices into kinds()

 private:
  std::vector<std::uint64_t> kinds_;
  std::vector<std::uint32_t> counts_, kind_of_unit_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_;
};

// Fills one value per metric from how often each kind occurs; NaN where a metric is undefined.
using KindMetrics = std::function<void(std::span<const std::uint32_t> counts, std::span<double> values)>;

// One interval per metric; nullopt where the metric is undefined on the data. Up to kDrawnUnits units the
// resamples are those of score::draw_resample, so that they go together with other metrics over the same
// units; beyond, the counts are drawn from the multinomial distribution that drawing units amounts to.
inline constexpr std::size_t kDrawnUnits = 50'000;
std::vector<std::optional<Interval>> bootstrap_kinds(const Kinds& kinds, std::size_t metrics,
                                                     const KindMetrics& compute,
                                                     const score::BootstrapOptions& options);

// How many of `trials` succeed, each with the same probability. Exact, by inversion from the mode.
std::uint32_t draw_binomial(std::uint32_t trials, double probability, RandomStream& stream);

}  // namespace awry::benchmarks::magicmirror
