// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/draw.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "awry/base/files.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/encode.h"

namespace awry::imaging {
namespace {

using ::testing::HasSubstr;

Colour colour_at(const Image& image, int x, int y) {
  const std::uint8_t* pixel = image.at(x, y);
  return {pixel[0], pixel[1], pixel[2]};
}

double lightness(const Colour& colour) {
  const auto linear = [](double value) {
    value /= 255;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  const double y = 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

TEST(DrawBox, OutlinesAndLeavesTheInsideAlone) {
  for (const int ground : {0, 255}) {
    Image image(60, 40, 1, static_cast<std::uint8_t>(ground));
    draw_box(image, {10, 10, 30, 20}, {.colour = {255, 96, 0}, .thickness = 1});
    ASSERT_EQ(image.channels, 3);
    EXPECT_EQ(colour_at(image, 10, 15), (Colour{255, 96, 0}));
    EXPECT_EQ(colour_at(image, 39, 29), (Colour{255, 96, 0}));
    EXPECT_EQ(*image.at(25, 20), ground);
    EXPECT_EQ(*image.at(5, 5), ground);
  }
}

TEST(DrawBox, SurvivesAnyCoordinates) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  Image image(30, 30, 3);
  for (const Box& box :
       {Box{-1e300, -5, 1e301, 1e9}, Box{nan, nan, nan, nan}, Box{inf, 0, 1, 1}, Box{5, 5, -3, -3}}) {
    draw_box(image, box, {.label = "x"});
  }
  Image none;
  draw_box(none, {0, 0, 1, 1});
  EXPECT_TRUE(none.empty());
}

TEST(DrawMarks, NumbersEveryBoxInItsColour) {
  Image image(200, 200, 3, 255);
  const Box boxes[] = {{20, 20, 60, 60}, {120, 120, 60, 60}};
  draw_marks(image, boxes);
  EXPECT_EQ(colour_at(image, 79, 50), series_colour(0));
  EXPECT_EQ(colour_at(image, 179, 150), series_colour(1));
  EXPECT_NE(series_colour(0), series_colour(1));
}

TEST(DrawLabel, StaysInsideAndReplacesForeignLetters) {
  Image image(120, 40, 3, 200);
  draw_label(image, 5'000, 5'000, "größe");
  const Image untouched(120, 40, 3, 200);
  EXPECT_NE(image, untouched);
  Image question = untouched;
  draw_label(question, 5'000, 5'000, "gr??e");
  EXPECT_EQ(image, question);
  Image tiny(2, 2, 3);
  draw_label(tiny, 0, 0, "a label wider than the image");
  EXPECT_EQ(tiny.width, 2);
}

TEST(DrawMask, TintsByOpacity) {
  Image image(4, 1, 3, 100);
  Bitmap bitmap(4, 1);
  bitmap.at(2, 0) = 1;
  ASSERT_TRUE(draw_bitmap(image, bitmap, {.colour = {200, 0, 100}, .opacity = 0.5, .outline = false}));
  EXPECT_EQ(colour_at(image, 2, 0), (Colour{150, 50, 100}));
  EXPECT_EQ(colour_at(image, 1, 0), (Colour{100, 100, 100}));
}

TEST(DrawMask, OutlinesTheBorderOnly) {
  Image image(40, 40, 3, 100);
  const Mask mask = mask_from_box({10, 10, 20, 20}, 40, 40).value();
  ASSERT_TRUE(draw_mask(image, mask, {.colour = {255, 0, 0}, .opacity = 0}));
  EXPECT_EQ(colour_at(image, 10, 20), (Colour{255, 0, 0}));
  EXPECT_EQ(colour_at(image, 20, 20), (Colour{100, 100, 100}));
}

TEST(DrawMask, RefusesAnotherSize) {
  Image image(4, 4, 3);
  EXPECT_THAT(draw_mask(image, {2, 2, {4}}).error().message(), HasSubstr("2 x 2"));
  EXPECT_FALSE(draw_mask(image, {4, 4, {99}}));
}

TEST(DrawBlocks, TintsBlocksAndRefusesOthers) {
  Image image(40, 40, 3, 100);
  ASSERT_TRUE(draw_blocks(image, {.rows = 2, .columns = 2, .blocks = {4}},
                          {.colour = {200, 0, 100}, .opacity = 0.5, .outline = false}));
  EXPECT_EQ(colour_at(image, 30, 30), (Colour{150, 50, 100}));
  EXPECT_EQ(colour_at(image, 5, 5), (Colour{100, 100, 100}));
  EXPECT_FALSE(draw_blocks(image, {.rows = 2, .columns = 2, .blocks = {5}}));
}

TEST(HeatColour, RisesEvenlyInLightness) {
  const double low = lightness(heat_colour(0)), high = lightness(heat_colour(1));
  EXPECT_LT(low, 12);
  EXPECT_GT(high, 94);
  for (int i = 0; i <= 20; ++i) {
    const double expected = low + (high - low) * i / 20;
    EXPECT_NEAR(lightness(heat_colour(i / 20.0)), expected, 3) << i;
  }
}

TEST(HeatMap, SpansFiniteValuesAndLeavesOutNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Image heat = heat_map_image({4, 1, {-2, 0, 2, nan}});
  EXPECT_EQ(colour_at(heat, 0, 0), heat_colour(0));
  EXPECT_EQ(colour_at(heat, 1, 0), heat_colour(0.5));
  EXPECT_EQ(colour_at(heat, 2, 0), heat_colour(1));
  EXPECT_EQ(colour_at(heat, 3, 0), Colour{});
  EXPECT_EQ(colour_at(heat_map_image({1, 1, {1}}, {.low = 0.0F, .high = 2.0F}), 0, 0), heat_colour(0.5));

  Image image(4, 1, 1, 50);
  draw_heat_map(image, {4, 1, {-2, 0, 2, nan}}, {.opacity = 1});
  EXPECT_EQ(colour_at(image, 2, 0), heat_colour(1));
  EXPECT_EQ(colour_at(image, 3, 0), (Colour{50, 50, 50}));
  Image larger(16, 16, 3);
  draw_heat_map(larger, {2, 2, {0, 1, 0, 1}}, {.opacity = 1});
  EXPECT_EQ(colour_at(larger, 15, 8), heat_colour(1));
}

TEST(SideBySide, AlignsAtTheTop) {
  const Image images[] = {Image(3, 2, 1, 10), Image(2, 4, 3, 20)};
  const Image both = side_by_side(images, 1, {1, 2, 3});
  EXPECT_EQ(both.width, 6);
  EXPECT_EQ(both.height, 4);
  EXPECT_EQ(colour_at(both, 0, 0), (Colour{10, 10, 10}));
  EXPECT_EQ(colour_at(both, 0, 3), (Colour{1, 2, 3}));
  EXPECT_EQ(colour_at(both, 3, 0), (Colour{1, 2, 3}));
  EXPECT_EQ(colour_at(both, 4, 3), (Colour{20, 20, 20}));
  EXPECT_TRUE(side_by_side({}).empty());
}

TEST(Encode, PngIsLosslessAndTheSameEveryTime) {
  for (const int channels : {1, 3, 4}) {
    Image image(7, 5, channels);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<std::uint8_t>(i * 11);
    const std::string bytes = encode_png(image);
    EXPECT_EQ(bytes, encode_png(image));
    EXPECT_EQ(decode_image(bytes, "a.png", {.alpha = Alpha::kKeep}).value(), image);
  }
}

TEST(Encode, LossyFormatsComeBackNearby) {
  const Image image(20, 10, 3, 120);
  for (const auto& bytes : {encode_jpeg(image, 90), encode_webp(image, 90)}) {
    const Image other = decode_image(bytes.value(), "lossy").value();
    EXPECT_EQ(other.width, 20);
    EXPECT_NEAR(*other.at(5, 5), 120, 3);
  }
  EXPECT_FALSE(encode_jpeg(Image(70'000, 1, 1)));
  EXPECT_FALSE(encode_webp(Image(20'000, 1, 3)));
  EXPECT_FALSE(encode_webp(image, 101));
}

TEST(WriteImage, ChoosesTheFormatByEnding) {
  const TemporaryFolder folder;
  const Image image(4, 4, 3, 9);
  for (const auto& [name, format] :
       {std::pair{"a.PNG", ImageFormat::kPng}, std::pair{"ü.jpeg", ImageFormat::kJpeg},
        std::pair{"a.webp", ImageFormat::kWebp}}) {
    ASSERT_TRUE(write_image(folder.path() / name, image));
    EXPECT_EQ(probe_image(folder.path() / name)->format, format);
  }
  EXPECT_THAT(write_image(folder.path() / "a.gif", image).error().message(),
              HasSubstr(".png, .jpg or .webp"));
  EXPECT_FALSE(write_image(folder.path() / "a.png", Image()));
}

}  // namespace
}  // namespace awry::imaging
