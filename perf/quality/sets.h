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

struct SetSize {
  int forged = 60;      // questions of each kind of forgery
  int authentic = 120;  // panels, and as many pairs
};

Result<std::vector<forge::ThemisItem>> painted_recipe_items(Part part, const SetSize& size);
Result<std::vector<forge::ThemisItem>> painted_hard_items(Part part, const SetSize& size);
std::vector<forge::ThemisItem> real_recipe_items(const std::vector<Source>& sources, Part part,
                                                 const SetSize& size);
std::vector<forge::ThemisItem> real_hard_items(const std::vector<Source>& sources, Part part,
                                               const SetSize& size);

// Writes the set four times: `folder`/clean, and after what happens to figures on their way: blur (sigma 1),
// jpeg (quality 70), half (both sides halved).
Result<void> write_set(const std::filesystem::path& folder, const std::vector<forge::ThemisItem>& items);

}  // namespace awry::quality
