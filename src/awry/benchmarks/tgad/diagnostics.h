// SPDX-License-Identifier: Apache-2.0
// The paper's findings as functions: does language steer the decision, or only select what is found anyway?
//
// Scores are shares (0 to 1). The thresholds are ours, because the paper names its findings without numbers;
// the defaults sort every configuration of its tables the way its text does (diagnostics_test.cc).
#pragma once

#include <span>
#include <string>

namespace awry::benchmarks::tgad {

struct PixelAndImageScores {
  double i_auroc = 0, p_auroc = 0, au_pro = 0;
};

// before - after, metric by metric: what EV2 costs against EV1, or one prompt against another.
PixelAndImageScores drop_between(const PixelAndImageScores& before, const PixelAndImageScores& after);

struct DissociationThresholds {
  double least_drop = 0.03;     // smaller losses of I-AUROC say nothing
  double largest_share = 0.75;  // AUPRO may lose at most this share of what I-AUROC loses
};
// Localization-Decision Dissociation: the decision collapses while the model still finds where.
struct Dissociation {
  bool present = false;
  double decision_drop = 0;      // of I-AUROC
  double localization_drop = 0;  // of AUPRO, the localisation metric of record
};
Dissociation localization_decision_dissociation(const PixelAndImageScores& before,
                                                const PixelAndImageScores& after,
                                                const DissociationThresholds& thresholds = {});
std::string describe(const Dissociation& dissociation);

struct CollapseThresholds {
  double inert = 0.005;      // I-AUROC that moves no more than this has not moved
  double least_drop = 0.03;  // what losing the noun must cost
};
// Object-Anchor Collapse: wording moves nothing as long as the object is named, and without its name the
// decision collapses.
struct AnchorCollapse {
  bool present = false;
  double with_noun_spread = 0;   // largest I-AUROC move among prompts that name the object
  double without_noun_drop = 0;  // I-AUROC lost when it is not named
};
// `with_noun` holds the I-AUROC of each prompt variant that names the object, the reference first.
AnchorCollapse object_anchor_collapse(std::span<const double> with_noun, double without_noun,
                                      const CollapseThresholds& thresholds = {});
std::string describe(const AnchorCollapse& collapse);

}  // namespace awry::benchmarks::tgad
