// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/copy_move.h"

#include <gtest/gtest.h>

#include "awry/forge/compose.h"
#include "awry/forge/paint.h"

namespace awry::forge {
namespace {

bool same_pixel(const imaging::Image& a, int ax, int ay, const imaging::Image& b, int bx, int by) {
  return std::equal(a.at(ax, ay), a.at(ax, ay) + 3, b.at(bx, by));
}

class CopyMoveIn : public testing::TestWithParam<PanelKind> {};
INSTANTIATE_TEST_SUITE_P(Forge, CopyMoveIn,
                         testing::Values(PanelKind::kMicrograph, PanelKind::kStainedMicrograph),
                         [](const auto& kind) { return std::string(name_of(kind.param)); });

TEST_P(CopyMoveIn, ChangesOnlyTheTargetAndCopiesTheSource) {
  const auto panel = paint_panel(GetParam(), 224, 192, RandomStream(4));
  ASSERT_TRUE(panel);
  const auto forged = forge_copy_move(panel->image, panel->annotations, {.seed = 4});
  ASSERT_TRUE(forged) << forged.error().message();
  EXPECT_EQ(forged->target, shifted(forged->source, forged->dx, forged->dy));
  EXPECT_EQ(area(forged->target), area(forged->source));  // nothing was pushed over the edge

  // Deeper than the feather, the copy is exact. Erode by asking whether a whole neighbourhood is inside.
  constexpr int kFeather = 2;
  std::size_t exact = 0;
  for (int y = 0; y < panel->image.height; ++y) {
    for (int x = 0; x < panel->image.width; ++x) {
      if (forged->target.at(x, y) == 0) {
        ASSERT_TRUE(same_pixel(forged->image, x, y, panel->image, x, y)) << x << "," << y;
        continue;
      }
      bool deep = true;
      for (int v = y - kFeather - 1; v <= y + kFeather + 1; ++v) {
        for (int u = x - kFeather - 1; u <= x + kFeather + 1; ++u) {
          const bool outside = u < 0 || v < 0 || u >= panel->image.width || v >= panel->image.height;
          deep = deep && (outside || forged->target.at(u, v) != 0);
        }
      }
      if (!deep) continue;
      ++exact;
      ASSERT_TRUE(same_pixel(forged->image, x, y, panel->image, x - forged->dx, y - forged->dy));
    }
  }
  EXPECT_GT(exact, area(forged->target) / 3);
}

TEST_P(CopyMoveIn, KeepsItsPromisesOfSizeDistanceAndClearance) {
  const auto panel = paint_panel(GetParam(), 192, 192, RandomStream(9));
  ASSERT_TRUE(panel);
  const CopyMoveOptions options;
  const auto forged = forge_copy_move(panel->image, panel->annotations, {.seed = 9}, options);
  ASSERT_TRUE(forged) << forged.error().message();
  const double object = static_cast<double>(area(forged->source)), whole = 192.0 * 192;
  EXPECT_GE(object / whole, options.min_area);
  EXPECT_LE(object / whole, options.max_area);
  EXPECT_LE(static_cast<double>(common_area(forged->source, forged->target)),
            options.max_self_overlap * object);
  for (const Box& box : panel->annotations) {
    EXPECT_FALSE(touches(forged->source, box));
    EXPECT_FALSE(touches(forged->target, box));
  }
  EXPECT_GE(mean_change(panel->image, forged->image, forged->target), options.min_change);
}

TEST(CopyMove, TellsTheTruthAndTheRecipe) {
  const auto panel = paint_panel(PanelKind::kMicrograph, 192, 192, RandomStream(1));
  ASSERT_TRUE(panel);
  const SeedPath seed{1, {"test"}};
  const auto forged = forge_copy_move(panel->image, panel->annotations, seed);
  ASSERT_TRUE(forged) << forged.error().message();
  const Pair& pair = std::get<Pair>(forged->truth.where);
  EXPECT_EQ(pair.first_image, 0);
  EXPECT_EQ(pair.second_image, 0);
  EXPECT_EQ(pair.in_first, imaging::mask_from_bitmap(forged->source));
  EXPECT_EQ(pair.in_second, imaging::mask_from_bitmap(forged->target));
  const double dx = forged->dx, dy = forged->dy;
  EXPECT_EQ(pair.second_from_first, (Transform{1, 0, dx, 0, 1, dy, 0, 0, 1}));
  EXPECT_EQ(forged->recipe.seed, seed);
  EXPECT_EQ(forged->recipe.operations.back().name, "copy_move");
  EXPECT_EQ(forged->recipe.operations.back().settings.at("dx"), dx);
  EXPECT_EQ(forge_copy_move(panel->image, panel->annotations, seed)->image, forged->image);
}

TEST(CopyMove, GivesUpOnAPanelWithNothingToCopy) {
  const imaging::Image flat(200, 200, 3, 128);
  const auto forged = forge_copy_move(flat, {}, {.seed = 1});
  ASSERT_FALSE(forged);
  EXPECT_NE(forged.error().message().find("200x200"), std::string::npos);
}

TEST(CopyMove, GivesUpWhenEverythingMustBeKeptClear) {
  const auto panel = paint_panel(PanelKind::kStainedMicrograph, 128, 128, RandomStream(1));
  ASSERT_TRUE(panel);
  const Box all{.x = 0, .y = 0, .width = 128, .height = 128};
  EXPECT_FALSE(forge_copy_move(panel->image, std::span(&all, 1), {.seed = 1}));
}

}  // namespace
}  // namespace awry::forge
