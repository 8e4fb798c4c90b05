// SPDX-License-Identifier: Apache-2.0
// measure_quality OUT SET PART SPLICES COPY_MOVES DUPLICATES PANELS PAIRS [IMAGES]: forges one of the sets
// that measure.py lets awry judge.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "sets.h"

namespace {

using namespace awry;
using namespace awry::quality;

// Sets are forged apart, so that measure.py can have several made at once.
Result<std::vector<forge::ThemisItem>> items_of(std::string_view set, Part part, const SetOrder& order,
                                                const std::filesystem::path& images) {
  if (set == "painted-recipe") return painted_recipe_items(part, order);
  if (set == "painted-hard") return painted_hard_items(part, order);
  AWRY_TRY_ASSIGN(const std::vector<Source> sources, real_sources(images, part));
  if (set == "real-recipe") return real_recipe_items(sources, part, order);
  if (set == "real-hard") return real_hard_items(sources, part, order);
  return fail({.what = "there is no set", .input = std::string(set)});
}

Result<void> forge_set(const std::filesystem::path& out, std::string_view set, Part part,
                       const SetOrder& order, const std::filesystem::path& images) {
  AWRY_TRY_ASSIGN(const auto items, items_of(set, part, order, images));
  return write_set(out, items);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 9) {
    fmt::print(stderr,
               "measure_quality OUT SET tuning|test SPLICES COPY_MOVES DUPLICATES PANELS PAIRS [IMAGES]\n");
    return 2;
  }
  const Part part = std::string_view(argv[3]) == "tuning" ? Part::kTuning : Part::kTest;
  const auto count = [&](int i) { return std::max(0, std::atoi(argv[i])); };
  const SetOrder order{.splices = count(4),
                       .copy_moves = count(5),
                       .duplicates = count(6),
                       .authentic_panels = count(7),
                       .authentic_pairs = count(8)};
  const Result<void> done = forge_set(argv[1], argv[2], part, order, argc > 9 ? argv[9] : "");
  if (!done) fmt::print(stderr, "{}\n", done.error().message());
  return done ? 0 : 1;
}
