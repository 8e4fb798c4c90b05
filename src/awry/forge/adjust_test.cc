// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/adjust.h"

#include <gtest/gtest.h>

namespace awry::forge {
namespace {

imaging::Image one_pixel(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  imaging::Image image(1, 1, 3);
  image.pixels = {red, green, blue};
  return image;
}

TEST(Adjusted, MovesPixelsAsWorkedByHand) {
  EXPECT_EQ(adjusted(one_pixel(10, 250, 0), Adjustment::kBrightness, 20), one_pixel(30, 255, 20));
  EXPECT_EQ(adjusted(one_pixel(100, 100, 100), Adjustment::kColourTemperature, 0.1), one_pixel(110, 100, 90));
  // Grey of pure red is 76.245: halfway to it.
  EXPECT_EQ(adjusted(one_pixel(255, 0, 0), Adjustment::kSaturation, 0.5), one_pixel(166, 38, 38));

  imaging::Image two(2, 1, 3);
  two.pixels = {50, 50, 50, 150, 150, 150};  // mean 100
  two = adjusted(two, Adjustment::kContrast, 1.5);
  EXPECT_EQ(two.pixels, (std::vector<std::uint8_t>{25, 25, 25, 175, 175, 175}));
}

TEST(Adjusted, LeavesGreyAloneWhenTurningHueOrSaturating) {
  const imaging::Image grey = one_pixel(128, 128, 128);
  EXPECT_EQ(adjusted(grey, Adjustment::kHue, 60), grey);
  EXPECT_EQ(adjusted(grey, Adjustment::kSaturation, 1.4), grey);
}

TEST(Adjusted, TurnsHueFullCircle) {
  const imaging::Image colour = one_pixel(120, 90, 60);
  const imaging::Image around = adjusted(colour, Adjustment::kHue, 360);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(around.pixels[c], colour.pixels[c], 1);
}

TEST(RandomAmount, IsNeverNothing) {
  for (const Adjustment adjustment : kAllAdjustments) {
    const bool is_factor = adjustment == Adjustment::kContrast || adjustment == Adjustment::kSaturation;
    RandomStream random(1);
    int above = 0;
    for (int i = 0; i < 200; ++i) {
      const double from_neutral = random_amount(adjustment, random) - (is_factor ? 1 : 0);
      EXPECT_GT(std::abs(from_neutral), 0.05) << name_of(adjustment);
      above += from_neutral > 0;
    }
    EXPECT_GT(above, 60);
    EXPECT_LT(above, 140);
  }
}

}  // namespace
}  // namespace awry::forge
