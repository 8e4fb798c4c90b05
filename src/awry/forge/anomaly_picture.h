// SPDX-License-Identifier: Apache-2.0
// Industrial objects with known defects. A painter keeps the state of an object apart from its picture: a
// defect changes the state, and its mask is where the picture, drawn without noise, then differs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/forge/recipe.h"
#include "awry/imaging/image.h"
#include "awry/imaging/mask.h"

namespace awry::forge {

struct PlantedDefect {
  std::string category;  // "A05_missing_screw"
  std::string part;      // "board_left"
  imaging::Bitmap mask;  // where this defect alone changes the picture
};

struct AnomalyPicture {
  imaging::Image image;                // RGB
  imaging::Image good;                 // the same object and the same noise without its defects
  std::vector<PlantedDefect> defects;  // empty: a good one
  imaging::Bitmap combined;            // where `image` differs from `good`
};

struct DefectCategory {
  std::string_view name;
  double alone, together;  // how many images of the paper have it as their only defect, or among others
};

// The fourteen of the Assembled Panel dataset: boards, ports, cables, labels, screws and caps in a fixed
// layout, seen from above, 16:9.
std::span<const DefectCategory> assembled_panel_categories();
// An error when two of the categories cannot be on one panel, or a name is unknown.
Result<AnomalyPicture> paint_assembled_panel(int width, std::span<const std::string> categories,
                                             const SeedPath& seed);

// Simple objects of several parts, each of which can be scratched, stained or chipped; square pictures.
// Categories: "scratch", "stain", "chip". Each named defect goes to a part of its own.
std::span<const std::string_view> parts_objects();  // "bottle", "plug"
std::span<const DefectCategory> parts_categories();
Result<AnomalyPicture> paint_parts_object(std::string_view object, int width,
                                          std::span<const std::string> categories, const SeedPath& seed);

}  // namespace awry::forge
