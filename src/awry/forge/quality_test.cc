// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/quality.h"

#include <gtest/gtest.h>

#include "awry/base/random.h"
#include "awry/forge/compose.h"
#include "awry/forge/objects.h"
#include "awry/forge/paint.h"
#include "awry/forge/resynthesis.h"

namespace awry::forge {
namespace {

imaging::Bitmap square(int side, int left, int top, int size) {
  imaging::Bitmap mask(side, side);
  for (int y = top; y < top + size; ++y) {
    for (int x = left; x < left + size; ++x) mask.at(x, y) = 1;
  }
  return mask;
}

imaging::Image noise(int side, int channels, std::uint64_t seed) {
  imaging::Image image(side, side, channels);
  RandomStream random(seed);
  for (auto& value : image.pixels) value = static_cast<std::uint8_t>(random.integer(100, 140));
  return image;
}

TEST(SeamVisibility, OfAStepOnFlatGroundIsTheStepPlusOne) {
  imaging::Image image(32, 32, 1, 50);
  const imaging::Bitmap mask = square(32, 10, 10, 12);
  EXPECT_DOUBLE_EQ(seam_visibility(image, mask), 1);
  for (int y = 10; y < 22; ++y) {
    for (int x = 10; x < 22; ++x) image.at(x, y)[0] = 59;
  }
  // 9 grey levels across the edge, none beside it; one level of tolerance on both sides.
  EXPECT_DOUBLE_EQ(seam_visibility(image, mask), 10);
}

TEST(SeamVisibility, IsAboutOneWhereTheMaskHasNothingToDoWithThePicture) {
  EXPECT_NEAR(seam_visibility(noise(64, 3, 1), square(64, 20, 12, 30)), 1, 0.15);
}

TEST(SeamVisibility, OfAMaskWithoutAnEdgeIsNothing) {
  EXPECT_EQ(seam_visibility(noise(16, 3, 1), imaging::Bitmap(16, 16)), 0);
  EXPECT_EQ(seam_visibility(noise(16, 3, 1), imaging::Bitmap(16, 16, 1)), 0);
}

TEST(SeamBreaks, CountTheEdgeAtWhichSomethingElseWasSeen) {
  imaging::Image host(40, 40, 1, 255), image = host;
  const imaging::Bitmap mask = square(40, 10, 10, 12);
  for (int x = 10; x < 22; ++x) image.at(x, 15)[0] = 0;  // a line across the mask ends at both of its sides
  EXPECT_DOUBLE_EQ(seam_breaks(host, image, mask), 2.0 / 40);
  for (int x = 0; x < 40; ++x) host.at(x, 15)[0] = 0;  // there it goes on
  EXPECT_DOUBLE_EQ(seam_breaks(host, image, mask), 0);
  for (int x = 12; x < 20; ++x) image.at(x, 18)[0] = 0;  // inside nothing ends
  EXPECT_DOUBLE_EQ(seam_breaks(host, image, mask), 0);
}

TEST(BlankShare, CountsMaskedPixelsAroundWhichNothingHappens) {
  // Noise on the right half; its first four columns reach into the neighbourhood of the left half's last
  // four.
  imaging::Image image = noise(64, 1, 2);
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 32; ++x) image.at(x, y)[0] = 255;
  }
  EXPECT_DOUBLE_EQ(blank_share(image, square(64, 0, 20, 20)), 1);
  EXPECT_DOUBLE_EQ(blank_share(image, square(64, 36, 20, 20)), 0);
  EXPECT_DOUBLE_EQ(blank_share(image, square(64, 22, 20, 20)), 6.0 / 20);
  EXPECT_EQ(blank_share(image, imaging::Bitmap(64, 64)), 0);
}

TEST(Sharpness, IsTheMeanStepBetweenNeighbours) {
  imaging::Image stripes(4, 4, 1);
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) stripes.at(x, y)[0] = x % 2 == 0 ? 0 : 10;
  }
  EXPECT_DOUBLE_EQ(sharpness(stripes), 5);  // 12 steps of 10 along rows, 12 of 0 down columns
  EXPECT_EQ(sharpness(imaging::Image(8, 8, 3, 77)), 0);
  EXPECT_EQ(sharpness(imaging::Image(1, 1, 1)), 0);
}

TEST(Resynthesis, ChangesOnlyItsMaskRemovesTheObjectAndIsRepeatable) {
  const Painted panel = *paint_panel(PanelKind::kStainedMicrograph, 256, 256, RandomStream(3));
  const auto forged = forge_resynthesis(panel.image, panel.annotations, {.seed = 4});
  ASSERT_TRUE(forged) << forged.error().message();
  for (int y = 0; y < 256; ++y) {
    for (int x = 0; x < 256; ++x) {
      if (forged->mask.at(x, y) != 0) continue;
      ASSERT_TRUE(std::equal(panel.image.at(x, y), panel.image.at(x, y) + 3, forged->image.at(x, y)));
    }
  }
  EXPECT_GE(mean_change(panel.image, forged->image, forged->mask), ResynthesisOptions{}.min_change);
  const double share = static_cast<double>(area(forged->mask)) / (256.0 * 256.0);
  EXPECT_GE(share, 0.02);
  EXPECT_LE(share, 0.20);
  EXPECT_LT(seam_visibility(forged->image, forged->mask), 3);
  EXPECT_EQ(forged->truth.type, "resynthesis");
  EXPECT_EQ(forged->recipe.operations.size(), 3);
  const auto again = forge_resynthesis(panel.image, panel.annotations, {.seed = 4});
  EXPECT_EQ(again->image, forged->image);
  EXPECT_EQ(again->mask, forged->mask);
  for (const Box& box : panel.annotations) EXPECT_FALSE(touches(forged->mask, box));
}

TEST(Resynthesis, GivesUpWhereNothingWouldChangeAndCountsWhy) {
  RejectionTally tally;
  const imaging::Image blank(128, 128, 3, 200);
  const auto forged = forge_resynthesis(blank, {}, {.seed = 1}, {.tally = &tally});
  ASSERT_FALSE(forged);
  EXPECT_GT(tally["change_too_small"], 0);
}

}  // namespace
}  // namespace awry::forge
