// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/mean_reward.h"

#include <fmt/format.h>

#include <limits>

#include "awry/benchmarks/magicmirror/reward.h"
#include "awry/score/signature.h"

namespace awry::benchmarks::magicmirror {
namespace {

constexpr std::size_t kPaper = 0, kReleased = 1, kVariants = 2;

// What one kind of image earns; an image without a verdict earns nothing, unless it is left out.
struct KindReward {
  std::array<double, kVariants> earned{};
  bool counts = true;
};

enum class Missing { kEarnNothing, kLeftOut, kAllRight };

std::vector<KindReward> rewards_of(const LabelledImages& images, Missing missing) {
  std::vector<KindReward> rewards;
  for (const std::uint64_t packed : images.kinds().kinds()) {
    LabelledImages::Kind kind = LabelledImages::kind_of(packed);
    if (!kind.predicted && missing == Missing::kAllRight) kind.predicted = kind.truth;
    rewards.push_back({.earned = {paper_reward(kind.truth, kind.predicted).total(),
                                  released_reward(kind.truth, kind.predicted).total()},
                       .counts = kind.predicted || missing != Missing::kLeftOut});
  }
  return rewards;
}

void compute_means(std::span<const KindReward> rewards, std::span<const std::uint32_t> times,
                   std::span<double> means) {
  std::array<double, kVariants> sums{};
  double all = 0;
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    if (!rewards[i].counts) continue;
    all += times[i];
    for (std::size_t v = 0; v < kVariants; ++v) sums[v] += times[i] * rewards[i].earned[v];
  }
  for (std::size_t v = 0; v < kVariants; ++v) {
    means[v] = all == 0 ? std::numeric_limits<double>::quiet_NaN() : sums[v] / all;
  }
}

}  // namespace

Result<void> summarise_rewards(const LabelledImages& images, const Options& options, Summary& summary) {
  const bool missed = options.unanswered == "missed";
  const std::size_t counted = images.size() - (missed ? std::size_t{0} : images.unanswered());
  if (counted == 0) return {};
  const auto means_with = [&](Missing missing) {
    std::array<double, kVariants> means{};
    compute_means(rewards_of(images, missing), images.kinds().counts(), means);
    return means;
  };
  const Missing how = missed ? Missing::kEarnNothing : Missing::kLeftOut;
  const auto means = means_with(how), worst = means_with(Missing::kEarnNothing),
             best = means_with(Missing::kAllRight);
  std::vector<std::optional<Interval>> intervals(kVariants);
  if (options.resamples > 0) {
    const std::vector<KindReward> rewards = rewards_of(images, how);
    intervals = bootstrap_kinds(images.kinds(), kVariants,
                                [&](std::span<const std::uint32_t> times, std::span<double> resampled) {
                                  compute_means(rewards, times, resampled);
                                },
                                {.resamples = static_cast<std::size_t>(options.resamples),
                                 .seed = static_cast<std::uint64_t>(options.seed)});
  }
  const auto push = [&](std::size_t variant, std::string_view key) {
    score::Signature signature(fmt::format("magicmirror/reward/{}", key));
    signature.set("variant", key).set("reading", options.reading).set("unanswered", options.unanswered);
    if (variant == kPaper) signature.set("consistency", "assumed");
    Metric metric{.key = std::string(key),
                  .group = "reward",
                  .value = means[variant],
                  .interval = intervals[variant],
                  .count = counted,
                  .signature = signature.text()};
    if (images.unanswered() > 0) metric.missing = Interval{worst[variant], best[variant], 1.0};
    summary.metrics.push_back(std::move(metric));
  };
  if (!options.consistency) push(kPaper, "paper");
  push(kReleased, "released");
  return {};
}

}  // namespace awry::benchmarks::magicmirror
