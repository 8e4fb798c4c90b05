// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/splice.h"

#include <gtest/gtest.h>

#include "awry/forge/compose.h"
#include "awry/forge/paint.h"

namespace awry::forge {
namespace {

struct Panels {
  Painted donor, host;
};

Panels painted_pair(PanelKind kind, std::uint64_t seed) {
  const RandomStream random(seed);
  return {*paint_panel(kind, 192, 160, random.fork("donor"), random.fork("style")),
          *paint_panel(kind, 192, 160, random.fork("host"), random.fork("style"))};
}

TEST(Splice, ChangesOnlyTheMaskAndTakesTheMiddleFromTheDonor) {
  const Panels panels = painted_pair(PanelKind::kStainedMicrograph, 2);
  const auto splice =
      forge_splice({panels.donor.image, panels.donor.annotations},
                   {panels.host.image, panels.host.annotations}, {.seed = 2}, {.feather_px = 0});
  ASSERT_TRUE(splice) << splice.error().message();
  const int dx = static_cast<int>(splice->host_from_donor[2]),
            dy = static_cast<int>(splice->host_from_donor[5]);
  for (int y = 0; y < 160; ++y) {
    for (int x = 0; x < 192; ++x) {
      const bool inside = splice->mask.at(x, y) != 0;
      const std::uint8_t* expected =
          inside ? panels.donor.image.at(x - dx, y - dy) : panels.host.image.at(x, y);
      ASSERT_TRUE(std::equal(expected, expected + 3, splice->image.at(x, y))) << x << "," << y;
    }
  }
}

TEST(Splice, TellsTheTruthTheRecipeAndKeepsClear) {
  const Panels panels = painted_pair(PanelKind::kMicrograph, 3);
  const SpliceOptions options;
  const SeedPath seed{3, {"splice"}};
  const SpliceSource donor{panels.donor.image, panels.donor.annotations},
      host{panels.host.image, panels.host.annotations};
  const auto splice = forge_splice(donor, host, seed, options);
  ASSERT_TRUE(splice) << splice.error().message();
  EXPECT_EQ(std::get<Mask>(splice->truth.where), imaging::mask_from_bitmap(splice->mask));
  EXPECT_EQ(splice->truth.type, "splicing");
  EXPECT_EQ(splice->recipe.seed, seed);
  EXPECT_EQ(splice->recipe.operations.back().settings.at("dx"), splice->host_from_donor[2]);
  EXPECT_GE(static_cast<double>(area(splice->mask)), options.min_area * 192 * 160);
  EXPECT_GE(mean_change(panels.host.image, splice->image, splice->mask), options.min_change);
  for (const Box& box : panels.host.annotations) EXPECT_FALSE(touches(splice->mask, box));
  EXPECT_EQ(forge_splice(donor, host, seed, options)->image, splice->image);
}

TEST(Splice, BringsADonorOfAnotherSizeToTheHosts) {
  const Painted donor = *paint_panel(PanelKind::kStainedMicrograph, 96, 128, RandomStream(1));
  const Painted host = *paint_panel(PanelKind::kStainedMicrograph, 192, 128, RandomStream(2));
  const auto splice = forge_splice({donor.image, {}}, {host.image, {}}, {.seed = 1});
  ASSERT_TRUE(splice) << splice.error().message();
  EXPECT_EQ(splice->image.width, 192);
  EXPECT_DOUBLE_EQ(splice->host_from_donor[0], 2);
  EXPECT_DOUBLE_EQ(splice->host_from_donor[4], 1);
}

TEST(Splice, GivesUpWhenNothingWouldShow) {
  const imaging::Image flat(128, 128, 3, 90);
  EXPECT_FALSE(forge_splice({flat, {}}, {flat, {}}, {.seed = 1}));
}

}  // namespace
}  // namespace awry::forge
