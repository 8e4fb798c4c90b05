// SPDX-License-Identifier: Apache-2.0
// measure_quality OUT PART FORGED AUTHENTIC [IMAGES]: forges the sets that measure.py lets awry judge.
#include <fmt/format.h>

#include <cstdlib>

#include "sets.h"

namespace {

using namespace awry;
using namespace awry::quality;

Result<void> forge_all(const std::filesystem::path& out, Part part, const SetSize& size,
                       const std::filesystem::path& images) {
  AWRY_TRY_ASSIGN(const auto recipe, painted_recipe_items(part, size));
  AWRY_TRY(write_set(out / "painted-recipe", recipe));
  AWRY_TRY_ASSIGN(const auto hard, painted_hard_items(part, size));
  AWRY_TRY(write_set(out / "painted-hard", hard));
  if (images.empty()) return {};
  AWRY_TRY_ASSIGN(const std::vector<Source> sources, real_sources(images, part));
  AWRY_TRY(write_set(out / "real-recipe", real_recipe_items(sources, part, size)));
  AWRY_TRY(write_set(out / "real-hard", real_hard_items(sources, part, size)));
  fmt::print("{} real images of the {} part\n", sources.size(), name_of(part));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr, "measure_quality OUT tuning|test FORGED AUTHENTIC [IMAGES]\n");
    return 2;
  }
  const Part part = std::string_view(argv[2]) == "tuning" ? Part::kTuning : Part::kTest;
  const SetSize size{.forged = std::atoi(argv[3]), .authentic = std::atoi(argv[4])};
  const Result<void> done = forge_all(argv[1], part, size, argc > 5 ? argv[5] : "");
  if (!done) fmt::print(stderr, "{}\n", done.error().message());
  return done ? 0 : 1;
}
