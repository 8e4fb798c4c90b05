// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/copy_move.h"

#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/core/utility.hpp>

#include "awry/imaging/mask.h"
#include "awry/imaging/perturb.h"
#include "awry/inspectors/forensics/test_panels.h"

namespace awry::inspectors::forensics {
namespace {

TEST(CopyMove, FindsAnExactCopyWithItsOffsetAndOutline) {
  imaging::Image image = texture(300, 300, 1);
  imaging::Bitmap truth(300, 300);
  for (int y = 30; y < 110; ++y) {
    for (int x = 20; x < 110; ++x) {
      *image.at(x + 150, y + 140) = *image.at(x, y);
      truth.at(x, y) = truth.at(x + 150, y + 140) = 1;
    }
  }
  const Detection detection = find_copy_move(image);
  ASSERT_EQ(detection.findings.size(), 1u);
  const Pair& pair = std::get<Pair>(detection.findings[0].where);
  const Transform& t = *pair.second_from_first;
  EXPECT_NEAR(std::abs(t[2]), 150,
              0.01);  // there or back: which is the source cannot be told
  EXPECT_NEAR(std::abs(t[5]), 140, 0.01);
  const auto both = imaging::unite(*pair.in_first, *pair.in_second);
  ASSERT_TRUE(both.has_value());
  EXPECT_GT(imaging::overlap(*both, imaging::mask_from_bitmap(truth))->iou(), 0.8);
  EXPECT_EQ(find_copy_move(image).findings, detection.findings);
}

TEST(CopyMove, IsSilentOnAuthenticTextures) {
  for (std::uint64_t seed = 10; seed < 14; ++seed) {
    EXPECT_TRUE(find_copy_move(texture(256, 256, seed)).findings.empty()) << "seed " << seed;
  }
}

TEST(CopyMove, IsSilentOnPureNoise) {
  EXPECT_TRUE(find_copy_move(noise_panel(256, 256, 20)).findings.empty());
}

TEST(CopyMove, IsSilentOnBlotsWhoseLanesAreAlike) {
  for (std::uint64_t seed = 30; seed < 33; ++seed) {
    EXPECT_TRUE(find_copy_move(blot(seed)).findings.empty()) << "seed " << seed;
  }
}

TEST(CopyMove, FindsALaneCopiedWithinABlot) {
  using B = BlotPanel;
  imaging::Image image = blot(40);
  const int dx = B::lane_centre(4) - B::lane_centre(1), dy = B::strip_top(2) - B::strip_top(0);
  const int top = B::strip_top(0) + 10;
  for (int y = top; y < top + B::kStripHeight - 20; ++y) {
    for (int x = B::lane_centre(1) - 22; x < B::lane_centre(1) + 22; ++x)
      *image.at(x + dx, y + dy) = *image.at(x, y);
  }
  const Detection detection = find_copy_move(image);
  ASSERT_EQ(detection.findings.size(), 1u);
  const Transform& t = *std::get<Pair>(detection.findings[0].where).second_from_first;
  EXPECT_NEAR(std::abs(t[2]), dx, 0.01);
  EXPECT_NEAR(std::abs(t[5]), dy, 0.01);
}

// The offset is odd, so that halving leaves it between two pixels.
imaging::Image with_copy(imaging::Image image) {
  for (int y = 30; y < 150; ++y) {
    for (int x = 30; x < 160; ++x) *image.at(x + 201, y + 173) = *image.at(x, y);
  }
  return image;
}

TEST(CopyMove, FindsACopyAfterCompressionAndHalving) {
  const imaging::Image image = with_copy(texture(400, 360, 60));
  const auto compressed = imaging::jpeg_round_trip(image, 70);
  const imaging::Image halved = imaging::scaled(image, 0.5, imaging::ScaledSize::kKept);
  ASSERT_TRUE(compressed.has_value());
  for (const auto& [changed, dx, dy] : {std::tuple(*compressed, 201.0, 173.0), {halved, 100.5, 86.5}}) {
    const Detection detection = find_copy_move(changed);
    ASSERT_EQ(detection.findings.size(), 1u);
    const Transform& t = *std::get<Pair>(detection.findings[0].where).second_from_first;
    EXPECT_NEAR(std::abs(t[2]), dx, 0.6);
    EXPECT_NEAR(std::abs(t[5]), dy, 0.6);
  }
}

// A brighter, duller copy is a copy.
TEST(CopyMove, FindsACopyThatWasRetouched) {
  imaging::Image image = texture(300, 300, 70);
  for (int y = 30; y < 120; ++y) {
    for (int x = 20; x < 120; ++x) *image.at(x + 150, y + 140) = to_byte(30 + 0.8 * *image.at(x, y));
  }
  const Detection detection = find_copy_move(image);
  ASSERT_EQ(detection.findings.size(), 1u);
  const Transform& t = *std::get<Pair>(detection.findings[0].where).second_from_first;
  EXPECT_NEAR(std::abs(t[2]), 150, 0.01);
}

TEST(CopyMove, FindsAMirroredCopy) {
  imaging::Image image = texture(320, 320, 71);
  for (int y = 20; y < 130; ++y) {
    for (int x = 20; x < 130; ++x) *image.at(300 - x, y + 150) = *image.at(x, y);
  }
  const Detection detection = find_copy_move(image);
  ASSERT_FALSE(detection.findings.empty());
  const Pair& pair = std::get<Pair>(detection.findings[0].where);
  EXPECT_EQ(pair.operations, std::vector<std::string>{"horizontal_flip"});
  EXPECT_NEAR((*pair.second_from_first)[0], -1, 0.01);
}

TEST(CopyMove, MarksOriginalAndCopyAfterCompression) {
  const auto compressed = imaging::jpeg_round_trip(with_copy(texture(400, 360, 72)), 70);
  ASSERT_TRUE(compressed.has_value());
  imaging::Bitmap truth(400, 360);
  for (int y = 30; y < 150; ++y) {
    for (int x = 30; x < 160; ++x) truth.at(x, y) = truth.at(x + 201, y + 173) = 1;
  }
  const Detection detection = find_copy_move(*compressed);
  ASSERT_EQ(detection.findings.size(), 1u);
  const Pair& pair = std::get<Pair>(detection.findings[0].where);
  const auto both = imaging::unite(*pair.in_first, *pair.in_second);
  ASSERT_TRUE(both.has_value());
  EXPECT_GT(imaging::overlap(*both, imaging::mask_from_bitmap(truth))->iou(), 0.75);
}

// Sampled exactly alike at every period, so nothing but the noise tells the places apart.
TEST(CopyMove, IsSilentOnAWeave) {
  for (const double noise : {2.0, 8.0}) {
    RandomStream random(73);
    imaging::Image image(300, 300, 1);
    for (int y = 0; y < 300; ++y) {
      for (int x = 0; x < 300; ++x)
        *image.at(x, y) =
            to_byte(128 + 40 * std::sin(x * CV_PI / 10) * std::sin(y * CV_PI / 12) + random.normal(0, noise));
    }
    EXPECT_TRUE(find_copy_move(image).findings.empty()) << "noise " << noise;
    EXPECT_TRUE(find_copy_move(*imaging::jpeg_round_trip(image, 70)).findings.empty()) << "noise " << noise;
  }
}

TEST(CopyMove, IsSilentOnAuthenticPanelsAfterCompressionAndHalving) {
  for (const imaging::Image& image : {texture(300, 300, 61), blot(62)}) {
    EXPECT_TRUE(find_copy_move(*imaging::jpeg_round_trip(image, 70)).findings.empty());
    EXPECT_TRUE(find_copy_move(imaging::scaled(image, 0.5, imaging::ScaledSize::kKept)).findings.empty());
  }
}

// Both halves of a body look alike; noise tells that neither was copied from the other.
TEST(CopyMove, IsSilentOnMirrorSymmetry) {
  constexpr int size = 280;
  RandomStream random(63);
  const imaging::Image half = texture(size / 2, size, 64);
  imaging::Image image(size, size, 1);
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const int folded = x < size / 2 ? x : size - 1 - x;
      *image.at(x, y) = to_byte(*half.at(folded, y) + random.normal(0, 6));
    }
  }
  EXPECT_TRUE(find_copy_move(*imaging::jpeg_round_trip(image, 70)).findings.empty());
}

TEST(CopyMove, AnswersTheSameOnAnyNumberOfThreads) {
  imaging::Image image = texture(240, 240, 50);
  for (int y = 20; y < 90; ++y) {
    for (int x = 20; x < 90; ++x) *image.at(x + 120, y + 110) = *image.at(x, y);
  }
  const int usual = cv::getNumThreads();
  cv::setNumThreads(1);
  const Detection alone = find_copy_move(image);
  cv::setNumThreads(4);
  const Detection together = find_copy_move(image);
  cv::setNumThreads(usual);
  ASSERT_EQ(alone.findings.size(), 1u);
  EXPECT_EQ(alone.findings, together.findings);
}

}  // namespace
}  // namespace awry::inspectors::forensics
