// SPDX-License-Identifier: Apache-2.0
// The options of a forged THEMIS set, turned into one plan for each question.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "awry/base/json.h"
#include "awry/forge/themis_item.h"
#include "awry/forge/themis_set.h"

namespace awry::forge {

// Which option asks for how many questions of which category. Its name stands in errors, in metadata and in
// random streams.
struct CategoryOption {
  ThemisCategory category;
  int ThemisSetOptions::*count;
  std::string_view name;
};
std::span<const CategoryOption> category_options();  // in the order in which the release lists them

Result<void> check(const ThemisSetOptions& options);

// All options that decide what is written. What was not asked for is left out, so that sets of earlier
// versions keep their digest.
Json options_json(const ThemisSetOptions& options);

std::vector<ThemisItemPlan> plans_of(const ThemisSetOptions& options);

}  // namespace awry::forge
