// SPDX-License-Identifier: Apache-2.0
// Pictures to train the splicing network on, in a folder, from tuning sources only:
//   real_<kind>-<number>.png                       real images
//   painted_<kind>-<number>.png                    authentic painted panels
//   painted_<kind>-<number>-spliced.png, -mask.png  spliced ones, and what was pasted
#pragma once

#include <filesystem>

#include "awry/base/result.h"

namespace awry::tune {

struct PicturePlan {
  std::filesystem::path real_images;  // folders of images, one per kind; empty: painted panels only
  int painted_per_kind = 40;          // authentic ones and, where the kind allows, as many spliced
};

Result<void> make_pictures(const PicturePlan& plan, const std::filesystem::path& folder);

}  // namespace awry::tune
