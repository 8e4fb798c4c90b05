// SPDX-License-Identifier: Apache-2.0
#include "awry/score/overlap.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/imaging/mask.h"
#include "awry/score/sets.h"

namespace awry::score {
namespace {

double iou_from_counts(double first, double second, double both) {
  const double either = first + second - both;
  return either > 0 ? both / either : 1.0;
}

double area(const Box& box) {
  return std::max(0.0, box.width) * std::max(0.0, box.height);
}

}  // namespace

double block_iou(std::span<const int> a, std::span<const int> b) {
  const auto counts = count_common(distinct(a), distinct(b));
  return iou_from_counts(static_cast<double>(counts.predicted), static_cast<double>(counts.truth),
                         static_cast<double>(counts.correct));
}

Result<double> mask_iou(const Mask& first, const Mask& second) {
  AWRY_TRY_ASSIGN(const imaging::Overlap shared, imaging::overlap(first, second));
  return shared.iou();
}

double box_iou(const Box& a, const Box& b) {
  const double width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
  const double height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  return iou_from_counts(area(a), area(b), std::max(0.0, width) * std::max(0.0, height));
}

Result<double> coverage_ratio(const Box& predicted, const Box& truth) {
  if (!(area(truth) > 0)) {
    return fail({.what = "cannot compute a coverage ratio",
                 .why = fmt::format("the true box is empty ({} x {})", truth.width, truth.height)});
  }
  return area(predicted) / area(truth);
}

}  // namespace awry::score
