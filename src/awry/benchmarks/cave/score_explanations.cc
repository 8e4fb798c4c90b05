// SPDX-License-Identifier: Apache-2.0
// Anomaly explanation: accuracy, apart for anomalies that had been described and missed, and by category.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "awry/benchmarks/cave/board.h"

namespace awry::benchmarks::cave {
namespace {

bool has_category(const AnomalyItem& anomaly, std::string_view category) {
  const auto categories = categories_of(*anomaly.truth);
  return std::find(categories.begin(), categories.end(), category) != categories.end();
}

Tally explanations(const Board& board, const Which& which) {
  Tally tally(board.items().size());
  for_each_anomaly(board, [&](std::size_t image, const AnomalyItem& anomaly) {
    if (which(anomaly)) tally.add_by_standing(anomaly.explained, image, anomaly.right, 0, 0, 1);
  });
  return tally;
}

// The paper's Table 12 prints 2c / (n + c) of c right among n, the F1 of answers none of which is "positive
// but wrong"; its Table 1 prints the mean of the accuracies on hits and on misses (README).
Tally as_f1(Tally accuracy) {
  for (auto* terms : {&accuracy.point, &accuracy.low, &accuracy.high}) {
    for (Tally::Terms& each : *terms) each = {2 * each.numerator, each.denominator + each.numerator};
  }
  return accuracy;
}

double drawn_ratio(const Tally& tally, std::span<const std::uint32_t> drawn) {
  Tally::Terms sum;
  for (const std::uint32_t image : drawn) sum += tally.point[image];
  return sum.denominator > 0 ? sum.numerator / sum.denominator : std::numeric_limits<double>::quiet_NaN();
}

Interval range_or_value(const Tally& tally) {
  return tally.range().value_or(Interval{*tally.value(), *tally.value(), 1.0});
}

// Accuracy where the anomaly had been described against where it had been missed.
Result<void> write_split(Board& board, const score::Signature& signature) {
  const Tally hits = explanations(board, was_described), misses = explanations(board, was_missed);
  const score::Signature split = signature.with("split", "ad-of-the-same-run");
  AWRY_TRY(board.write({"ae", "accuracy_hit", split}, hits));
  AWRY_TRY(board.write({"ae", "accuracy_miss", split}, misses));
  if (!hits.value() || !misses.value()) return {};

  const Interval hit = range_or_value(hits), miss = range_or_value(misses);
  std::optional<Interval> balanced_range, gap_range;
  if (hits.missing || misses.missing) {
    balanced_range = Interval{(hit.low + miss.low) / 2, (hit.high + miss.high) / 2, 1.0};
    gap_range = Interval{hit.low - miss.high, hit.high - miss.low, 1.0};
  }
  score::Signature balanced = split, gap = split;
  balanced.set("metric", "mean-of-hit-and-miss-accuracy");
  gap.set("metric", "hit-minus-miss-accuracy");
  const std::size_t count = hits.count + misses.count;
  AWRY_TRY(board.write_statistic(
      {"ae", "balanced_accuracy", balanced}, count,
      [&](std::span<const std::uint32_t> drawn) {
        return (drawn_ratio(hits, drawn) + drawn_ratio(misses, drawn)) / 2;
      },
      balanced_range));
  return board.write_statistic(
      {"ae", "gap", gap}, count,
      [&](std::span<const std::uint32_t> drawn) {
        return drawn_ratio(hits, drawn) - drawn_ratio(misses, drawn);
      },
      gap_range, "gap_p");
}

}  // namespace

Result<void> score_explanations(Board& board, const score::Signature& judged) {
  if (!any_anomaly(board, [](const AnomalyItem& a) { return a.explained != Standing::kNotAsked; })) return {};
  score::Signature signature = judged;
  signature.set("metric", "accuracy").set("missing", "wrong").set("unjudged", "left-out");
  const Tally all = explanations(board, [](const AnomalyItem&) { return true; });
  AWRY_TRY(board.write({"ae", "accuracy", signature}, all));
  AWRY_TRY(write_split(board, signature));
  score::Signature f1 = signature;
  f1.set("metric", "2c/(n+c)");
  for (const Category& category : kCategories) {
    const Tally tally =
        explanations(board, [&](const AnomalyItem& anomaly) { return has_category(anomaly, category.key); });
    const std::string group = fmt::format("ae/category:{}", category.key);
    AWRY_TRY(board.write({group, "accuracy", signature}, tally));
    AWRY_TRY(board.write({group, "f1", f1}, as_f1(tally)));
  }
  for (std::size_t i = 0; i < board.items().size(); ++i) {
    if (all.point[i].denominator > 0) {
      board.score(board.items()[i], "ae/accuracy", all.point[i].numerator / all.point[i].denominator);
    }
  }
  return {};
}

}  // namespace awry::benchmarks::cave
