// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/usual_noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "awry/base/random.h"

namespace awry::inspectors::forensics {
namespace {

cv::Mat1f noise(int width, int height, double level, double deviation) {
  RandomStream random(3);
  cv::Mat1f grey(height, width);
  for (float& value : grey) value = static_cast<float>(std::round(level + random.normal(0, deviation)));
  return grey;
}

TEST(RelativeNoise, PlainNoiseIsAsNoisyAsExpected) {
  const RelativeNoise noisy = relative_noise(noise(200, 200, 128, 8));
  // The median of a normal magnitude is 0.6745 deviations, and its mean 0.7979.
  EXPECT_NEAR(cv::mean(noisy.expected)[0], 0.6745 * 8, 0.4);
  EXPECT_NEAR(cv::mean(noisy.relative)[0], 0.7979 / 0.6745, 0.06);
}

TEST(RelativeNoise, BrightAndDarkHalvesAreEachMeasuredByTheirOwn) {
  cv::Mat1f grey = noise(200, 200, 60, 3);
  cv::Mat1f(noise(200, 100, 190, 9)).copyTo(grey.rowRange(100, 200));
  const RelativeNoise noisy = relative_noise(grey);
  EXPECT_NEAR(cv::mean(noisy.expected.rowRange(0, 90))[0], 0.6745 * 3, 0.4);
  EXPECT_NEAR(cv::mean(noisy.expected.rowRange(110, 200))[0], 0.6745 * 9, 0.9);
  EXPECT_NEAR(cv::mean(noisy.relative.rowRange(110, 200))[0], cv::mean(noisy.relative.rowRange(0, 90))[0],
              0.1);
}

TEST(RelativeNoise, IsCutOffWhereItIsStructure) {
  cv::Mat1f grey(60, 60, 10.f);
  grey(30, 30) = 255;
  const RelativeNoise noisy = relative_noise(grey);
  EXPECT_FLOAT_EQ(noisy.relative(30, 30), 4);
  EXPECT_NEAR(noisy.relative(5, 5), 0, 1e-3);
}

}  // namespace
}  // namespace awry::inspectors::forensics
