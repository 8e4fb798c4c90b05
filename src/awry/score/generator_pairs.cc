// SPDX-License-Identifier: Apache-2.0
#include "awry/score/generator_pairs.h"

#include <algorithm>

#include "awry/base/text.h"

namespace awry::score {
namespace {

struct Means {
  double implausibility = 0, anomalies = 0;
  std::size_t images = 0;

  double mai() const { return implausibility / static_cast<double>(images); }
  double af() const { return anomalies / static_cast<double>(images); }
};

// The same words, whatever their case and punctuation.
std::map<std::string, Means> by_prompt(std::span<const PromptedAudit> images) {
  std::map<std::string, Means> prompts;
  for (const PromptedAudit& image : images) {
    const std::string key = join(word_tokens(casefold(image.prompt)), " ");
    if (key.empty()) continue;
    Means& means = prompts[key];
    means.implausibility += image.audit.implausibility;
    means.anomalies += static_cast<double>(image.audit.anomalies);
    ++means.images;
  }
  return prompts;
}

struct Pair {
  double first_mai, first_af, second_mai, second_af;
};

}  // namespace

Result<PairedDifference> compare_caps(std::span<const PromptedAudit> first,
                                      std::span<const PromptedAudit> second,
                                      const BootstrapOptions& options) {
  const auto in_first = by_prompt(first), in_second = by_prompt(second);
  std::vector<Pair> pairs;
  for (const auto& [prompt, means] : in_first) {
    if (const auto other = in_second.find(prompt); other != in_second.end()) {
      pairs.push_back({means.mai(), means.af(), other->second.mai(), other->second.af()});
    }
  }
  if (pairs.size() < 2) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "cannot compare generators by prompt",
                 .why = "they have fewer than two prompts in common"});
  }
  const auto caps = [&](std::span<const std::uint32_t> drawn) {
    Pair sum{};
    for (const std::uint32_t i : drawn) {
      sum.first_mai += pairs[i].first_mai, sum.first_af += pairs[i].first_af;
      sum.second_mai += pairs[i].second_mai, sum.second_af += pairs[i].second_af;
    }
    const auto squared = static_cast<double>(drawn.size()) * static_cast<double>(drawn.size());
    return std::pair(sum.first_mai * sum.first_af / squared, sum.second_mai * sum.second_af / squared);
  };
  std::vector<std::uint32_t> all(pairs.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint32_t>(i);
  const auto [first_cap, second_cap] = caps(all);
  AWRY_TRY_ASSIGN(const BootstrapEstimate estimate, bootstrap(
                                                        pairs.size(),
                                                        [&](std::span<const std::uint32_t> drawn) {
                                                          const auto [a, b] = caps(drawn);
                                                          return b - a;
                                                        },
                                                        options));
  return PairedDifference{.first = first_cap,
                          .second = second_cap,
                          .difference = second_cap - first_cap,
                          .interval = estimate.interval,
                          .p_value = estimate.p_value,
                          .samples = pairs.size()};
}

Result<RankAgreement> compare_rankings(const std::map<std::string, double>& first,
                                       const std::map<std::string, double>& second) {
  std::vector<double> a, b;
  for (const auto& [generator, value] : first) {
    if (const auto other = second.find(generator); other != second.end()) {
      a.push_back(value);
      b.push_back(other->second);
    }
  }
  return rank_agreement(a, b);
}

}  // namespace awry::score
