// SPDX-License-Identifier: Apache-2.0
// make_pictures OUT PAINTED_PER_KIND [REAL_IMAGES]
#include "pictures.h"

#include <fmt/format.h>

#include <cstdlib>

int main(int argc, char** argv) {
  using namespace awry::tune;
  if (argc != 3 && argc != 4) {
    fmt::print(stderr, "usage: make_pictures OUT PAINTED_PER_KIND [REAL_IMAGES]\n");
    return 2;
  }
  const PicturePlan plan{.real_images = argc == 4 ? argv[3] : "", .painted_per_kind = std::atoi(argv[2])};
  if (const auto made = make_pictures(plan, argv[1]); !made) {
    fmt::print(stderr, "{}\n", made.error().message());
    return 1;
  }
}
