// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/inpainting.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "awry/imaging/mask.h"
#include "awry/inspectors/forensics/test_panels.h"

namespace awry::inspectors::forensics {
namespace {

// What a retouching brush leaves: the average of the surroundings of every pixel.
imaging::Image smoothed(const imaging::Image& image, int left, int top, int side) {
  imaging::Image result = image;
  for (int y = top; y < top + side; ++y) {
    for (int x = left; x < left + side; ++x) {
      double sum = 0;
      for (int dy = -3; dy <= 3; ++dy) {
        for (int dx = -3; dx <= 3; ++dx) sum += image.at(x + dx, y + dy)[0];
      }
      std::fill_n(result.at(x, y), image.channels, to_byte(sum / 49));
    }
  }
  return result;
}

TEST(FindSmoothing, FindsASmoothedPlace) {
  const Detection detection = find_smoothing(smoothed(noise_panel(320, 320, 1), 120, 80, 72));
  ASSERT_EQ(detection.findings.size(), 1u);
  const Finding& finding = detection.findings.front();
  EXPECT_EQ(finding.type, "smoothing");
  EXPECT_LT(finding.false_alarms.value_or(1), 1e-3);
  const auto mask = imaging::bitmap_from_mask(std::get<Mask>(finding.where));
  ASSERT_TRUE(mask.has_value());
  EXPECT_EQ(mask->at(156, 116), 1);
  EXPECT_EQ(mask->at(20, 300), 0);
  double x = 0, y = 0, count = 0;
  for (int row = 0; row < mask->height; ++row) {
    for (int column = 0; column < mask->width; ++column) {
      if (mask->at(column, row)) x += column, y += row, count += 1;
    }
  }
  EXPECT_NEAR(x / count, 120 + 71 / 2.0, 4);  // half a cell
  EXPECT_NEAR(y / count, 80 + 71 / 2.0, 4);
}

TEST(FindSmoothing, LeavesAuthenticPanelsAlone) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    EXPECT_TRUE(find_smoothing(texture(320, 300, seed)).findings.empty()) << seed;
    EXPECT_TRUE(find_smoothing(noise_panel(256, 256, seed, 3)).findings.empty()) << seed;
  }
}

TEST(FindSmoothing, DrawnAreasLackNoNoise) {
  imaging::Image image = noise_panel(320, 320, 2);
  for (int y = 100; y < 180; ++y) std::fill_n(image.at(60, y), 90, std::uint8_t{130});
  EXPECT_TRUE(find_smoothing(image).findings.empty());
}

TEST(FindSmoothing, SurvivesImagesWithNothingToSay) {
  for (const imaging::Image& image : {imaging::Image(), imaging::Image(1, 1, 1), imaging::Image(3000, 2, 3),
                                      imaging::Image(200, 200, 3, 255)}) {
    EXPECT_TRUE(find_smoothing(image).findings.empty());
    EXPECT_EQ(missing_noise_map(image).values.size(), static_cast<std::size_t>(image.width) * image.height);
  }
}

}  // namespace
}  // namespace awry::inspectors::forensics
