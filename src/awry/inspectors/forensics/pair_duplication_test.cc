// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/pair_duplication.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "awry/imaging/perturb.h"
#include "awry/inspectors/forensics/test_panels.h"

namespace awry::inspectors::forensics {
namespace {

// The panel turned and scaled about its centre, by bilinear interpolation; what comes from beyond is grey.
imaging::Image turned(const imaging::Image& image, double scale, double degrees) {
  imaging::Image result(image.width, image.height, 1, 110);
  const double angle = degrees * 3.14159265358979 / 180, c = std::cos(angle) / scale,
               s = std::sin(angle) / scale;
  const double cx = (image.width - 1) / 2.0, cy = (image.height - 1) / 2.0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const double u = cx + c * (x - cx) + s * (y - cy), v = cy - s * (x - cx) + c * (y - cy);
      const int left = static_cast<int>(std::floor(u)), top = static_cast<int>(std::floor(v));
      if (left < 0 || top < 0 || left + 1 >= image.width || top + 1 >= image.height) continue;
      const double fx = u - left, fy = v - top;
      *result.at(x, y) =
          to_byte((1 - fy) * ((1 - fx) * *image.at(left, top) + fx * *image.at(left + 1, top)) +
                  fy * ((1 - fx) * *image.at(left, top + 1) + fx * *image.at(left + 1, top + 1)));
    }
  }
  return result;
}

bool names(const Detection& detection, const std::string& operation) {
  return std::ranges::count(std::get<Pair>(detection.findings.at(0).where).operations, operation) > 0;
}

TEST(PairDuplication, NamesAMirrorAndABrightnessChange) {
  const imaging::Image first = texture(256, 256, 2);
  imaging::Image second = first;
  for (int y = 0; y < 256; ++y) {
    for (int x = 0; x < 256; ++x)
      *second.at(x, y) = static_cast<std::uint8_t>(std::min(255, *first.at(255 - x, y) + 20));
  }
  const Detection detection = find_pair_duplication(first, second);
  ASSERT_EQ(detection.findings.size(), 1u);
  const auto& operations = std::get<Pair>(detection.findings[0].where).operations;
  EXPECT_NE(std::ranges::find(operations, "horizontal_flip"), operations.end());
  EXPECT_NE(std::ranges::find(operations, "brightness"), operations.end());
  EXPECT_EQ(std::ranges::find(operations, "scaling"), operations.end());
}

TEST(PairDuplication, IsSilentOnUnrelatedTextures) {
  EXPECT_TRUE(find_pair_duplication(texture(256, 256, 3), texture(256, 256, 4)).findings.empty());
}

TEST(PairDuplication, RecoversAFreeRotation) {
  const imaging::Image first = texture(256, 256, 5);
  const Detection detection = find_pair_duplication(first, turned(first, 1, 23));
  ASSERT_EQ(detection.findings.size(), 1u);
  EXPECT_TRUE(names(detection, "rotation"));
  EXPECT_FALSE(names(detection, "scaling"));
  const Transform& t = *std::get<Pair>(detection.findings[0].where).second_from_first;
  EXPECT_NEAR(std::abs(std::atan2(t[3], t[0])) * 180 / 3.14159265358979, 23, 0.3);
}

TEST(PairDuplication, RecoversAScale) {
  const imaging::Image first = texture(256, 256, 6);
  const Detection detection = find_pair_duplication(first, turned(first, 1.4, 0));
  ASSERT_EQ(detection.findings.size(), 1u);
  EXPECT_TRUE(names(detection, "scaling"));
  EXPECT_FALSE(names(detection, "rotation"));
  const Transform& t = *std::get<Pair>(detection.findings[0].where).second_from_first;
  EXPECT_NEAR(std::hypot(t[0], t[3]), 1.4, 0.01);
}

// Compression leaves little of faint detail, and each panel loses something else of it.
TEST(PairDuplication, RecognisesCopiesThatWereCompressedApart) {
  imaging::Image first = texture(256, 256, 9);
  for (auto& pixel : first.pixels) pixel = static_cast<std::uint8_t>(90 + pixel / 6);
  const auto second = imaging::jpeg_round_trip(turned(first, 1, 30), 70);
  const auto compressed = imaging::jpeg_round_trip(first, 70);
  ASSERT_TRUE(second && compressed);
  const Detection detection = find_pair_duplication(*compressed, *second);
  ASSERT_EQ(detection.findings.size(), 1u);
  EXPECT_TRUE(names(detection, "rotation"));
  EXPECT_FALSE(names(detection, "brightness"));
}

// A frame with ticks, and a curve of its own: charts of one series.
imaging::Image chart(std::uint64_t seed) {
  RandomStream random(seed);
  imaging::Image image(300, 240, 1, 255);
  const auto dot = [&](int x, int y) {
    for (int dy = 0; dy < 2; ++dy) {
      for (int dx = 0; dx < 2; ++dx) *image.at(x + dx, y + dy) = 20;
    }
  };
  for (int x = 30; x < 280; ++x) dot(x, 20), dot(x, 210);
  for (int y = 20; y < 211; ++y) dot(30, y), dot(280, y);
  for (int tick = 0; tick < 8; ++tick) {
    for (int x = 20; x < 30; ++x) dot(x, 30 + 22 * tick);
    for (int y = 211; y < 220; ++y) dot(45 + 30 * tick, y);
  }
  double level = 115;
  for (int x = 34; x < 278; ++x) {
    level = std::clamp(level + random.normal(0, 3), 30.0, 200.0);
    dot(x, static_cast<int>(level));
  }
  return image;
}

TEST(PairDuplication, DrawingsThatShareAFrameAreNotCopies) {
  EXPECT_TRUE(find_pair_duplication(chart(1), chart(2)).findings.empty());
}

TEST(PairDuplication, ADrawingShownTwiceIs) {
  const Detection detection = find_pair_duplication(chart(1), chart(1));
  ASSERT_EQ(detection.findings.size(), 1u);
  EXPECT_TRUE(names(detection, "direct"));
}

TEST(PairDuplication, IsSilentOnPureNoise) {
  EXPECT_TRUE(find_pair_duplication(noise_panel(256, 256, 7), noise_panel(256, 256, 8)).findings.empty());
}

}  // namespace
}  // namespace awry::inspectors::forensics
