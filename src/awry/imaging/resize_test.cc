// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/resize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/imaging/perturb.h"

namespace awry::imaging {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

Image row_of(std::initializer_list<std::uint8_t> values) {
  Image image(static_cast<int>(values.size()), 1, 1);
  image.pixels = values;
  return image;
}

void expect_size(const Image& image, int width, int height) {
  EXPECT_EQ(image.width, width);
  EXPECT_EQ(image.height, height);
}

TEST(ResizeDirect, AveragesAreasWhenShrinking) {
  EXPECT_THAT(resize_direct(row_of({0, 100, 200, 50}), 2, 1).image.pixels, ElementsAre(50, 125));
}

TEST(ResizeDirect, CarriesBoxesOverAndBack) {
  const Resized resized = resize_direct(Image(200, 100, 3), 50, 50);
  EXPECT_EQ(map_box({20, 10, 40, 20}, resized.image_from_original), (Box{5, 5, 10, 10}));
  EXPECT_EQ(map_box({5, 5, 10, 10}, invert(resized.image_from_original)), (Box{20, 10, 40, 20}));
}

TEST(ResizePadToSquare, CentresAndPads) {
  const Resized resized = resize_pad_to_square(Image(200, 100, 1, 9), 100, PadColour::kGrey);
  expect_size(resized.image, 100, 100);
  EXPECT_EQ(*resized.image.at(50, 24), 128);
  EXPECT_EQ(*resized.image.at(50, 25), 9);
  EXPECT_EQ(*resized.image.at(50, 74), 9);
  EXPECT_EQ(*resized.image.at(50, 75), 128);
  EXPECT_EQ(map_box({0, 0, 200, 100}, resized.image_from_original), (Box{0, 25, 100, 50}));
  EXPECT_EQ(map_box({0, 25, 100, 50}, invert(resized.image_from_original)), (Box{0, 0, 200, 100}));
  EXPECT_EQ(*resize_pad_to_square(Image(2, 1, 1), 10, PadColour::kWhite).image.at(0, 0), 255);
}

TEST(ResizeLongEdge, OnlyShrinksUnlessAsked) {
  expect_size(resize_long_edge(Image(400, 100, 3), 200).image, 200, 50);
  expect_size(resize_long_edge(Image(40, 10, 3), 200).image, 40, 10);
  expect_size(resize_long_edge(Image(40, 10, 3), 200, Enlarge::kYes).image, 200, 50);
  expect_size(resize_long_edge(Image(4000, 2, 3), 100).image, 100, 1);
}

TEST(ResizeShortSide, SetsTheShorterSide) {
  expect_size(resize_short_side(Image(400, 100, 3), 50).image, 200, 50);
  expect_size(resize_short_side(Image(40, 10, 3), 20).image, 80, 20);
  expect_size(resize_short_side(Image(40, 10, 3), 20, Enlarge::kNo).image, 40, 10);
}

TEST(ResizePixelBudget, NeverExceedsTheBudget) {
  expect_size(resize_pixel_budget(Image(400, 100, 1), 10'000).image, 200, 50);
  expect_size(resize_pixel_budget(Image(40, 10, 1), 400).image, 40, 10);
  for (const auto& [width, height, budget] : {std::array{401, 97, 5'000}, std::array{3'000, 1, 10},
                                              std::array{1, 999, 1}, std::array{500, 2, 30}}) {
    const Image image = resize_pixel_budget(Image(width, height, 1), budget).image;
    EXPECT_LE(image.width * image.height, budget);
  }
}

TEST(ResizeTwoStage, ShrinksTheLongEdgeThenStepsByTenPercent) {
  // 4000 x 2000 -> long edge 1000: 1000 x 500 = 500,000 > 400,000 -> 900 x 450 = 405,000 -> 810 x 405.
  const Resized resized =
      resize_two_stage(Image(4000, 2000, 1), {.max_long_edge = 1000, .max_pixels = 400'000});
  expect_size(resized.image, 810, 405);
  EXPECT_DOUBLE_EQ(resized.image_from_original[0], 810.0 / 4000);
  expect_size(resize_two_stage(Image(300, 200, 1), {.max_long_edge = 1000, .max_pixels = 400'000}).image, 300,
              200);
}

TEST(GaussianBlurred, KeepsFlatAreasAndSpreadsPoints) {
  EXPECT_THAT(gaussian_blurred(Image(9, 9, 3, 77), 2).pixels, Each(77));
  Image point(21, 21, 1);
  *point.at(10, 10) = 255;
  const Image blurred = gaussian_blurred(point, 1);
  // The peak of a unit Gaussian of deviation 1 is 1 / (2 pi) = 0.159; 255 of that is 40.6.
  EXPECT_NEAR(*blurred.at(10, 10), 40.6, 1);
  EXPECT_EQ(*blurred.at(9, 10), *blurred.at(10, 11));
  EXPECT_EQ(gaussian_blurred(point, 0), point);
}

TEST(JpegRoundTrip, LosesMoreAtLowerQuality) {
  Image image(64, 64, 3);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = static_cast<std::uint8_t>(i * 37 + i / 64 * 11);
  const auto loss = [&](int quality) {
    const Image other = jpeg_round_trip(image, quality).value();
    EXPECT_EQ(other.pixels.size(), image.pixels.size());
    long sum = 0;
    for (std::size_t i = 0; i < image.pixels.size(); ++i) sum += std::abs(other.pixels[i] - image.pixels[i]);
    return sum;
  };
  EXPECT_LT(loss(95), loss(50));
  EXPECT_LT(loss(50), loss(10));
  EXPECT_EQ(jpeg_round_trip(Image(8, 8, 1, 50), 90)->channels, 1);
  EXPECT_FALSE(jpeg_round_trip(image, 0));
  EXPECT_FALSE(jpeg_round_trip(Image(), 50));
}

TEST(Scaled, RestoresTheSizeUnlessAskedToKeepIt) {
  const Image checker = [] {
    Image image(8, 8, 1);
    for (int i = 0; i < 64; ++i) image.pixels[i] = (i + i / 8) % 2 == 0 ? 0 : 200;
    return image;
  }();
  const Image restored = scaled(checker, 0.5);
  expect_size(restored, 8, 8);
  EXPECT_THAT(restored.pixels, Each(100));  // every 2 x 2 holds two of each
  expect_size(scaled(checker, 0.5, ScaledSize::kKept), 4, 4);
  expect_size(scaled(checker, 0.01, ScaledSize::kKept), 1, 1);
}

}  // namespace
}  // namespace awry::imaging
