// SPDX-License-Identifier: Apache-2.0
// The measured sets, as questions in THEMIS's released layout:
//   painted-recipe, real-recipe   forged as the paper describes
//   painted-hard, real-hard       what hard_forgeries.h makes of the same kinds of sources
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "awry/forge/themis_item.h"
#include "sources.h"

namespace awry::quality {

// How many questions a set holds. Leaving some out changes none of the others.
struct SetOrder {
  int splices = 0, copy_moves = 0;
  int duplicates = 0;        // twice as many pairs: two kinds in each set
  int authentic_panels = 0;  // at most: there are only so many real images
  int authentic_pairs = 0;
};

Result<std::vector<forge::ThemisItem>> painted_recipe_items(Part part, const SetOrder& order);
Result<std::vector<forge::ThemisItem>> painted_hard_items(Part part, const SetOrder& order);
std::vector<forge::ThemisItem> real_recipe_items(const std::vector<Source>& sources, Part part,
                                                 const SetOrder& order);
std::vector<forge::ThemisItem> real_hard_items(const std::vector<Source>& sources, Part part,
                                               const SetOrder& order);

// Writes the set four times: `folder`/clean, and after what happens to figures on their way: blur (sigma 1),
// jpeg (quality 70), half (both sides halved).
Result<void> write_set(const std::filesystem::path& folder, const std::vector<forge::ThemisItem>& items);

}  // namespace awry::quality
