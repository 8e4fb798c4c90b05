// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/cave/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace awry::benchmarks::cave {

void Tally::add(std::size_t image, double value, double weight) {
  for (auto* terms : {&point, &low, &high}) (*terms)[image] += {value * weight, weight};
  ++count;
}

void Tally::add_missing(std::size_t image, double value, double lowest, double highest, double weight) {
  point[image] += {value * weight, weight};
  low[image] += {lowest * weight, weight};
  high[image] += {highest * weight, weight};
  missing = true;
  ++count;
}

void Tally::leave_out(std::size_t image, double lowest, double highest, double weight) {
  low[image] += {lowest * weight, weight};
  high[image] += {highest * weight, weight};
  missing = true;
}

void Tally::add_by_standing(Standing standing, std::size_t image, double value, double failed, double lowest,
                            double highest) {
  if (standing == Standing::kScored) add(image, value);
  if (standing == Standing::kFailed || standing == Standing::kNotAsked) {
    add_missing(image, failed, lowest, highest);
  }
  if (standing == Standing::kUnjudged) leave_out(image, lowest, highest);
}

Tally::Terms Tally::total(const std::vector<Terms>& terms) {
  Terms sum;
  for (const Terms& each : terms) sum += each;
  return sum;
}

namespace {

std::optional<double> ratio(const Tally::Terms& terms, std::optional<double> when_empty) {
  if (terms.denominator == 0) return when_empty;
  return terms.numerator / terms.denominator;
}

}  // namespace

std::optional<double> Tally::value(std::optional<double> when_empty) const {
  return ratio(total(point), when_empty);
}

std::optional<Interval> Tally::range(std::optional<double> when_empty) const {
  if (!missing) return std::nullopt;
  const auto first = ratio(total(low), when_empty), second = ratio(total(high), when_empty);
  if (!first || !second) return std::nullopt;
  return Interval{std::min(*first, *second), std::max(*first, *second), 1.0};
}

score::BootstrapOptions Board::bootstrap_options() const {
  return {.resamples = static_cast<std::size_t>(options_.resamples),
          .seed = static_cast<std::uint64_t>(options_.seed)};
}

score::Signature Board::signature(std::string_view name, std::string_view metric) const {
  score::Signature signature(fmt::format("cave/{}", name));
  signature.set("metric", metric);
  return signature;
}

void Board::push(const Written& as, Metric metric) {
  metric.group = as.group;
  metric.key = as.key;
  metric.signature = as.signature.text();
  summary_.metrics.push_back(std::move(metric));
}

Result<void> Board::write(const Written& as, const Tally& tally, std::optional<double> when_empty) {
  const auto value = tally.value(when_empty);
  if (tally.count == 0 || !value) {
    if (tally.missing) note(fmt::format("{} {} cannot be stated: nothing was judged", as.group, as.key));
    return {};
  }
  Metric metric{.value = *value, .missing = tally.range(when_empty), .count = tally.count};
  const bool drawable = Tally::total(tally.point).denominator > 0;
  if (options_.resamples > 0 && drawable) {
    std::vector<double> numerators, denominators;
    for (const Tally::Terms& terms : tally.point) {
      numerators.push_back(terms.numerator), denominators.push_back(terms.denominator);
    }
    AWRY_TRY_ASSIGN(const score::BootstrapEstimate estimate,
                    score::bootstrap_ratio(numerators, denominators, bootstrap_options()));
    metric.interval = estimate.interval;
  }
  push(as, std::move(metric));
  return {};
}

Result<void> Board::write_statistic(const Written& as, std::size_t count, const score::Statistic& statistic,
                                    std::optional<Interval> missing, std::string_view p_key) {
  std::vector<std::uint32_t> everything(items_.size());
  for (std::uint32_t i = 0; i < everything.size(); ++i) everything[i] = i;
  Metric metric{.value = statistic(everything), .missing = missing, .count = count};
  if (!std::isfinite(metric.value)) {
    note(fmt::format("{} {} is undefined on these answers", as.group, as.key));
    return {};
  }
  std::optional<double> p_value;
  if (options_.resamples > 0) {
    if (const auto estimate = score::bootstrap(items_.size(), statistic, bootstrap_options())) {
      metric.interval = estimate->interval;
      p_value = estimate->p_value;
    }
  }
  push(as, std::move(metric));
  if (p_value && !p_key.empty()) {
    const score::Signature signature = as.signature.with("p", "two-sided-against-0");
    push({as.group, p_key, signature}, {.value = *p_value, .count = count});
  }
  return {};
}

void Board::write_count(const Written& as, std::size_t number, std::size_t images) {
  push(as, {.value = static_cast<double>(number), .count = images});
}

bool any_anomaly(const Board& board, const Which& which) {
  bool any = false;
  for_each_anomaly(board, [&](std::size_t, const AnomalyItem& anomaly) { any = any || which(anomaly); });
  return any;
}

void Board::score(const ImageItem& item, std::string_view metric, double value) {
  summary_.scores.push_back(
      {.sample_id = item.sample->id, .metric = fmt::format("cave/{}", metric), .value = value});
}

}  // namespace awry::benchmarks::cave
