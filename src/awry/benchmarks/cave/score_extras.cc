// SPDX-License-Identifier: Apache-2.0
// Categories of descriptions against the annotated ones, and the cultural check.
#include "awry/benchmarks/cave/board.h"

namespace awry::benchmarks::cave {

namespace {

// Of the model's own descriptions only those count that found a true anomaly: others have no category.
Result<void> score_own_categories(Board& board) {
  const auto asked = [](const AnomalyItem& anomaly) {
    return anomaly.own_categorised != Standing::kNotAsked;
  };
  if (!any_anomaly(board, asked)) return {};
  Tally right(board.items().size());
  for_each_anomaly(board, [&](std::size_t image, const AnomalyItem& anomaly) {
    if (!asked(anomaly)) return;
    right.add_by_standing(anomaly.own_categorised, image, anomaly.right_own_category, 0, 0, 1);
  });
  score::Signature signature = board.signature("category/accuracy_described", "any-annotated-category");
  signature.set("missing", "wrong");
  return board.write({"category", "accuracy_described", signature}, right);
}

}  // namespace

Result<void> score_categories(Board& board) {
  AWRY_TRY(score_own_categories(board));
  if (!any_anomaly(board, [](const AnomalyItem& a) { return a.categorised != Standing::kNotAsked; }))
    return {};
  Tally right(board.items().size());
  for_each_anomaly(board, [&](std::size_t image, const AnomalyItem& anomaly) {
    if (categories_of(*anomaly.truth).empty()) return;
    right.add_by_standing(anomaly.categorised, image, anomaly.right_category, 0, 0, 1);
  });
  score::Signature signature = board.signature("category/accuracy", "any-annotated-category");
  signature.set("missing", "wrong");
  return board.write({"category", "accuracy", signature}, right);
}

Result<void> score_culture(Board& board) {
  if (!any_anomaly(board, [](const AnomalyItem& a) { return a.cultured != Standing::kNotAsked; })) return {};
  Tally usual(board.items().size());
  for_each_anomaly(board, [&](std::size_t image, const AnomalyItem& anomaly) {
    if (anomaly.cultured == Standing::kScored) {
      usual.add(image, anomaly.usual_somewhere);
    } else {
      usual.leave_out(image, 0, 1);
    }
  });
  score::Signature signature = board.signature("culture/usual_somewhere", "share-of-anomalies");
  signature.set("missing", "left-out");
  return board.write({"culture", "usual_somewhere", signature}, usual);
}

}  // namespace awry::benchmarks::cave
