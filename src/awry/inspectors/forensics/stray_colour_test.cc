// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/stray_colour.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "awry/imaging/decode.h"
#include "awry/imaging/encode.h"
#include "awry/imaging/mask.h"
#include "awry/inspectors/forensics/test_panels.h"

namespace awry::inspectors::forensics {
namespace {

// A recording in grey, in a file that could hold colours.
imaging::Image grey_recording(std::uint64_t seed) {
  return imaging::to_rgb(texture(320, 256, seed));
}

void shift(std::uint8_t& value, int by) {
  value = static_cast<std::uint8_t>(std::clamp(value + by, 0, 255));
}

// What a program leaves that works in colour and converts back: one level in one of three pixels.
void touch(imaging::Image& image, int left, int top, int side, int levels = 1) {
  for (int y = top; y < top + side; ++y) {
    for (int x = left; x < left + side; ++x) {
      if ((x * 7 + y * 5) % 3 == 0) shift(image.at(x, y)[(x + y) % 2 == 0 ? 0 : 2], levels);
    }
  }
}

TEST(FindStrayColour, FindsAPlaceThatWasTouchedInColour) {
  imaging::Image image = grey_recording(1);
  touch(image, 96, 64, 64);
  const Detection detection = find_stray_colour(image);
  ASSERT_EQ(detection.findings.size(), 1u);
  EXPECT_EQ(detection.findings[0].type, "stray_colour");
  EXPECT_LT(detection.findings[0].false_alarms.value_or(1), 1e-3);
  const auto mask = imaging::bitmap_from_mask(std::get<Mask>(detection.findings[0].where));
  ASSERT_TRUE(mask.has_value());
  int inside = 0, outside = 0;
  for (int y = 0; y < mask->height; ++y) {
    for (int x = 0; x < mask->width; ++x) {
      const bool touched = x >= 96 && x < 160 && y >= 64 && y < 128;
      (touched ? inside : outside) += mask->at(x, y);
    }
  }
  EXPECT_EQ(inside, 64 * 64);  // the place lies on whole cells of eight pixels
  EXPECT_EQ(outside, 0);
}

TEST(FindStrayColour, FindsEveryPlace) {
  imaging::Image image = grey_recording(2);
  touch(image, 32, 32, 48);
  touch(image, 200, 150, 64, 3);
  EXPECT_EQ(find_stray_colour(image).findings.size(), 2u);
}

TEST(FindStrayColour, GreyImagesAreGrey) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    EXPECT_TRUE(find_stray_colour(grey_recording(seed)).findings.empty()) << seed;
    EXPECT_TRUE(find_stray_colour(texture(300, 200, seed)).findings.empty()) << seed;
  }
}

TEST(FindStrayColour, GreyImagesStayGreyInJpeg) {
  const auto bytes = imaging::encode_jpeg(grey_recording(4), 70);
  ASSERT_TRUE(bytes.has_value());
  const auto decoded = imaging::decode_image(*bytes, "grey.jpg");
  ASSERT_TRUE(decoded.has_value());
  EXPECT_TRUE(find_stray_colour(*decoded).findings.empty());
}

// A scanner whose dark tones are bluish: the colour goes with brightness, not with a place.
TEST(FindStrayColour, ATintOfDarkTonesIsNoPlace) {
  imaging::Image image = imaging::to_rgb(noise_panel(320, 256, 5, 5));  // 128, and nowhere below 80
  for (int y = 100; y < 160; ++y) {
    for (int x = 100; x < 180; ++x) {
      std::fill_n(image.at(x, y), 3, static_cast<std::uint8_t>(30 + (x + y) % 9));
      shift(image.at(x, y)[2], 2);
    }
  }
  EXPECT_TRUE(find_stray_colour(image).findings.empty());  // nothing else is as dark: it proves nothing
}

TEST(FindStrayColour, AnnotationsAreMeantToBeSeen) {
  imaging::Image image = grey_recording(6);
  for (int y = 60; y < 66; ++y) {
    for (int x = 80; x < 160; ++x) image.at(x, y)[0] = 255, image.at(x, y)[1] = image.at(x, y)[2] = 0;
  }
  touch(image, 80, 56, 14, 4);  // what JPEG smears around them
  EXPECT_TRUE(find_stray_colour(image).findings.empty());
}

TEST(FindStrayColour, ColouredImagesHaveColour) {
  imaging::Image image = grey_recording(7);
  touch(image, 0, 0, 256, 4);
  EXPECT_TRUE(find_stray_colour(image).findings.empty());
}

TEST(FindStrayColour, SurvivesImagesWithNothingToSay) {
  for (const imaging::Image& image : {imaging::Image(), imaging::Image(1, 1, 1), imaging::Image(3000, 2, 3),
                                      imaging::Image(200, 200, 3, 255), imaging::Image(67, 71, 4, 9)}) {
    EXPECT_TRUE(find_stray_colour(image).findings.empty());
    EXPECT_EQ(colour_map(image).values.size(), static_cast<std::size_t>(image.width) * image.height);
  }
}

}  // namespace
}  // namespace awry::inspectors::forensics
