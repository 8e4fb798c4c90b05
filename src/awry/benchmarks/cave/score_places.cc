// SPDX-License-Identifier: Apache-2.0
// Anomaly localization: overlap and size of boxes.
#include <fmt/format.h>

#include "awry/benchmarks/cave/board.h"

namespace awry::benchmarks::cave {
namespace {

constexpr double kUnderCoverage = 0.5;  // the paper's word for a box below half the true area

}  // namespace

Result<void> score_places(Board& board) {
  if (!any_anomaly(board, [](const AnomalyItem& a) { return a.located != Standing::kNotAsked; })) return {};
  const double limit = board.options().iou;
  Tally iou(board.items().size()), found = iou, coverage = iou, under = iou;
  for_each_anomaly(board, [&](std::size_t image, const AnomalyItem& anomaly) {
    if (!std::holds_alternative<Box>(anomaly.truth->where)) return;
    iou.add_by_standing(anomaly.located, image, anomaly.iou, 0, 0, 1);
    found.add_by_standing(anomaly.located, image, anomaly.iou >= limit ? 1 : 0, 0, 0, 1);
    coverage.add_by_standing(anomaly.located, image, anomaly.coverage, 0, 0, anomaly.most_coverage);
    under.add_by_standing(anomaly.located, image, anomaly.coverage < kUnderCoverage ? 1 : 0, 1, 1, 0);
  });
  const auto signature = [&](std::string_view key, std::string_view metric) {
    return board.signature(fmt::format("al/{}", key), metric).set("boxes", "pixels").set("missing", "wrong");
  };
  score::Signature share = signature("iou_share", "share-at-or-above");
  share.set("iou", limit);
  AWRY_TRY(board.write({"al", "mean_iou", signature("mean_iou", "box-iou")}, iou));
  AWRY_TRY(board.write({"al", "iou_share", share}, found));
  AWRY_TRY(
      board.write({"al", "coverage_ratio", signature("coverage_ratio", "area-over-true-area")}, coverage));
  score::Signature below = signature("under_coverage", "share-of-coverage-below");
  below.set("coverage", kUnderCoverage);
  AWRY_TRY(board.write({"al", "under_coverage", below}, under));
  for (std::size_t i = 0; i < board.items().size(); ++i) {
    if (iou.point[i].denominator > 0) {
      board.score(board.items()[i], "al/iou", iou.point[i].numerator / iou.point[i].denominator);
    }
  }
  return {};
}

}  // namespace awry::benchmarks::cave
