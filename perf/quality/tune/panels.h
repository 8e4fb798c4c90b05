// SPDX-License-Identifier: Apache-2.0
// Panels to tune and to try the splicing detector on, spliced and authentic, in a folder:
//   <kind>-<number>-authentic.png   <kind>-<number>-spliced.png   <kind>-<number>-spliced-mask.png
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/imaging/image.h"
#include "awry/imaging/mask.h"

namespace awry::tune {

struct Panel {
  std::string kind;  // "painted_blot", "real_gel"
  std::string name;  // of the file
  imaging::Image image;
  imaging::Bitmap mask;  // of what was pasted; empty: authentic
};

// Sources never change sides: kSeams and kFusion share the tuning sources of perf/quality, kTest takes its
// test sources.
enum class Part { kSeams, kFusion, kTest };
enum class Variety {
  kRecipe,  // as the paper forges: full size, one blending width, nothing afterwards
  kWide,    // other blending widths, rescaled donors, then sometimes JPEG, blur or reduction
};
struct SetPlan {
  Part part = Part::kSeams;
  Variety variety = Variety::kRecipe;
  int painted_per_kind = 20;
  int real_per_image = 2;
  std::filesystem::path real_images;  // folders of images, one per kind; empty: painted panels only
};

Result<void> make_panels(const SetPlan& plan, const std::filesystem::path& folder);
Result<std::vector<Panel>> read_panels(const std::filesystem::path& folder);

}  // namespace awry::tune
