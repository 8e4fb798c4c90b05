// SPDX-License-Identifier: Apache-2.0
// The make-up of the released THEMIS set: how many questions of each kind, and which operations duplicates
// went through. A forged set that asks for it has the same proportions, rounded to whole questions.
//
// The paper's Table 6 counts more turns than turned panels, and as many retouches as half as many panels
// again: operations were stacked. One or two turns a panel, and one or two retouches, reproduce every row of
// the table for global duplicates, together with the letters of the release; for local ones to within one.
#pragma once

#include <vector>

#include "awry/base/random.h"
#include "awry/forge/duplicate.h"
#include "awry/forge/paint.h"
#include "awry/forge/themis_category.h"

namespace awry::forge {

struct CategoryCount {
  ThemisCategory category;
  int count = 0;
};

enum class WithTexts { kNo, kYes };  // no: sources without captions
enum class WithAi { kNo, kYes };     // no: nobody who generates pictures

// `total` questions dealt over the categories as released, without those that cannot be made.
std::vector<CategoryCount> released_counts(int total, WithTexts texts, WithAi ai = WithAi::kNo);

// One plan a pair, in random order.
std::vector<DuplicationPlan> released_global_plans(int count, RandomStream random);
std::vector<DuplicationPlan> released_local_plans(int count, RandomStream random);

// What the panels of `count` questions show, in the release's proportions of the category's scenarios.
std::vector<PanelKind> released_kinds(ThemisCategory category, int count, RandomStream random);

}  // namespace awry::forge
