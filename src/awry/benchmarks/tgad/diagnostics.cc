// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace awry::benchmarks::tgad {
namespace {

// Differences of numbers printed with one decimal must not depend on how doubles round.
constexpr double kSlack = 1e-9;

}  // namespace

PixelAndImageScores drop_between(const PixelAndImageScores& before, const PixelAndImageScores& after) {
  return {.i_auroc = before.i_auroc - after.i_auroc,
          .p_auroc = before.p_auroc - after.p_auroc,
          .au_pro = before.au_pro - after.au_pro};
}

Dissociation localization_decision_dissociation(const PixelAndImageScores& before,
                                                const PixelAndImageScores& after,
                                                const DissociationThresholds& thresholds) {
  const PixelAndImageScores drop = drop_between(before, after);
  return {.present = drop.i_auroc >= thresholds.least_drop - kSlack &&
                     drop.au_pro <= thresholds.largest_share * drop.i_auroc + kSlack,
          .decision_drop = drop.i_auroc,
          .localization_drop = drop.au_pro};
}

std::string describe(const Dissociation& dissociation) {
  return fmt::format("{}localization-decision dissociation: I-AUROC loses {:.1f} points, AUPRO {:.1f}",
                     dissociation.present ? "" : "no ", 100 * dissociation.decision_drop,
                     100 * dissociation.localization_drop);
}

AnchorCollapse object_anchor_collapse(std::span<const double> with_noun, double without_noun,
                                      const CollapseThresholds& thresholds) {
  if (with_noun.empty()) return {};
  AnchorCollapse collapse{.without_noun_drop = with_noun.front() - without_noun};
  for (const double variant : with_noun) {
    collapse.with_noun_spread = std::max(collapse.with_noun_spread, std::abs(variant - with_noun.front()));
  }
  collapse.present = collapse.with_noun_spread <= thresholds.inert + kSlack &&
                     collapse.without_noun_drop >= thresholds.least_drop - kSlack;
  return collapse;
}

std::string describe(const AnchorCollapse& collapse) {
  return fmt::format(
      "{}object-anchor collapse: I-AUROC moves {:.1f} points while the object is named, and "
      "loses {:.1f} without its name",
      collapse.present ? "" : "no ", 100 * collapse.with_noun_spread, 100 * collapse.without_noun_drop);
}

}  // namespace awry::benchmarks::tgad
