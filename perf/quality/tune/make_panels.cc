// SPDX-License-Identifier: Apache-2.0
// make_panels OUT seams|fusion|test recipe|wide PAINTED_PER_KIND [REAL_IMAGES PER_IMAGE]
#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "panels.h"

int main(int argc, char** argv) {
  using namespace awry::tune;
  if (argc != 5 && argc != 7) {
    fmt::print(
        stderr,
        "usage: make_panels OUT seams|fusion|test recipe|wide PAINTED_PER_KIND [REAL_IMAGES PER_IMAGE]\n");
    return 2;
  }
  const std::string_view part = argv[2], variety = argv[3];
  SetPlan plan{.part = part == "seams"    ? Part::kSeams
                       : part == "fusion" ? Part::kFusion
                                          : Part::kTest,
               .variety = variety == "wide" ? Variety::kWide : Variety::kRecipe,
               .painted_per_kind = std::atoi(argv[4])};
  if (argc == 7) plan.real_images = argv[5], plan.real_per_image = std::atoi(argv[6]);
  if (const auto made = make_panels(plan, argv[1]); !made) {
    fmt::print(stderr, "{}\n", made.error().message());
    return 1;
  }
}
