// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <opencv2/imgproc.hpp>

#include "awry/base/random.h"
#include "awry/inspectors/forensics/seam_map.h"

namespace awry::inspectors::forensics {
namespace {

cv::Mat1f noise(int width, int height, std::uint64_t seed, double deviation = 8) {
  RandomStream random(seed);
  cv::Mat1f grey(height, width);
  for (float& value : grey) value = static_cast<float>(std::round(128 + random.normal(0, deviation)));
  return grey;
}

// Two recordings that meet along row `y`, blended over `width` rows below it.
cv::Mat1f blended(int y, int width) {
  cv::Mat1f top = noise(200, 200, 1);
  const cv::Mat1f bottom = noise(200, 200, 2);
  for (int row = y; row < top.rows; ++row) {
    const float share = std::min(1.f, static_cast<float>(row - y + 1) / static_cast<float>(width + 1));
    top.row(row) = share * bottom.row(row) + (1 - share) * top.row(row);
  }
  return top;
}

std::size_t first_of(SeamQuantityIndex quantity) {
  std::size_t first = 0;
  for (int i = 0; i < quantity; ++i)
    first += static_cast<std::size_t>(2 * kSeamQuantities[static_cast<std::size_t>(i)].reach + 1);
  return first;
}

TEST(SeamProfiles, PlainNoiseIsAsNoisyAsExpectedAtEveryDistance) {
  const SeamFrame frame = seam_frame(seam_subject(noise(200, 200, 3)), 0);
  SeamFeatures features;
  ASSERT_TRUE(seam_features_at(frame, {100, 100}, false, features));
  const std::size_t along = first_of(kNoiseAlong);
  // The mean of a normal magnitude over its median: 0.7979 / 0.6745. 29 pixels leave some scatter.
  for (std::size_t i = 0; i < 17; ++i) EXPECT_NEAR(features[along + i], std::log(0.15 + 1.18), 0.5) << i;
}

TEST(SeamProfiles, NoiseDipsWhereTwoRecordingsWereBlended) {
  const SeamFrame frame = seam_frame(seam_subject(blended(100, 3)), 0);
  const std::size_t along = first_of(kNoiseAlong);
  double dip = 0, flanks = 0;
  for (int x = 40; x <= 160; x += 20) {
    SeamFeatures features;
    ASSERT_TRUE(seam_features_at(frame, cv::Point2d(x, 100), false, features));
    dip += features[along + kSeamReach + 1];  // half of each recording: less by a factor of 0.71
    flanks += (features[along + kSeamReach - 5] + features[along + kSeamReach + 7]) / 2;
  }
  EXPECT_LT(dip / 7, flanks / 7 - 0.15);
}

TEST(SeamProfiles, FlippingExchangesTheSides) {
  const SeamFrame frame = seam_frame(seam_subject(blended(100, 3)), 0);
  SeamFeatures plain, flipped;
  ASSERT_TRUE(seam_features_at(frame, {100, 100}, false, plain));
  ASSERT_TRUE(seam_features_at(frame, {100, 100}, true, flipped));
  std::reverse(plain.begin(), plain.begin() + 2 * kSeamQuantities[0].reach + 1);
  EXPECT_TRUE(std::equal(plain.begin(), plain.begin() + 2 * kSeamQuantities[0].reach + 1, flipped.begin()));
}

TEST(SeamProfiles, ASlopeIsSeenAcrossItAndNotAlongIt) {
  cv::Mat1f grey = noise(200, 200, 4, 2);
  grey.rowRange(100, 200) += 40;
  const SeamSubject subject = seam_subject(grey);
  SeamFeatures across, along;
  ASSERT_TRUE(seam_features_at(seam_frame(subject, 0), {100, 100}, false, across));
  ASSERT_TRUE(seam_features_at(seam_frame(subject, kSeamDirections / 2), {100, 100}, false, along));
  const std::size_t middle = first_of(kSlope) + 6;
  EXPECT_GT(across[middle], along[middle] + 1);
}

TEST(SeamProfiles, NoProfileFitsAtTheEdgeOfTheImage) {
  const SeamFrame frame = seam_frame(seam_subject(noise(100, 80, 5)), 0);
  SeamFeatures features;
  EXPECT_FALSE(seam_features_at(frame, {50, 3}, false, features));
  EXPECT_FALSE(seam_features_at(frame, {50, 78}, false, features));
  EXPECT_FALSE(seam_features_at(frame, {-500, 40}, false, features));
}

TEST(SeamNetwork, AddsWhatItsUnitsPass) {
  SeamNetwork network;
  network.output_bias = 0.5f;
  network.weights[0][3] = 2, network.biases[0] = -1, network.output_weights[0] = 3;
  network.weights[1][3] = -2, network.output_weights[1] = 100;  // below 0: passes nothing
  SeamFeatures features{};
  features[3] = 1;
  EXPECT_FLOAT_EQ(seam_log_odds(network, features), 0.5f + 3 * (2 - 1));
}

// The map must be what the network says of the profiles, whatever order it computes them in.
TEST(SeamMap, IsTheMostAnyDirectionSays) {
  const SeamSubject subject = seam_subject(blended(100, 3));
  const cv::Mat1f map = seam_map(subject);
  EXPECT_EQ(map.size(), cv::Size(100, 100));
  SeamFeatures features;
  float most = kNoSeam;
  for (int direction = 0; direction < kSeamDirections; direction += kSeamDirections / 2) {
    const SeamFrame frame = seam_frame(subject, direction);
    for (const bool flipped : {false, true}) {
      ASSERT_TRUE(seam_features_at(frame, {100, 100}, flipped, features));
      most = std::max(most, seam_log_odds(tuned_seam_network(), features));
    }
  }
  EXPECT_GE(map(50, 50), most - 1e-3f);
}

TEST(SeamMap, ImagesSmallerThanAProfileHaveNoSeams) {
  const cv::Mat1f map = seam_map(seam_subject(noise(9, 7, 6)));
  EXPECT_EQ(cv::countNonZero(map != kNoSeam), 0);
}

}  // namespace
}  // namespace awry::inspectors::forensics
