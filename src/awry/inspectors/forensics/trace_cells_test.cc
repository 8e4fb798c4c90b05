// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/trace_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "awry/base/random.h"

namespace awry::inspectors::forensics {
namespace {

enum {
  kBrightness = 0,
  kMedianNoise = 4,
  kEqualAcross = 15,
  kEqualDown = 16,
  kWhite = 19,
  kRarity = 20,
  kCorrelationAcross = 23,
  kBlocksAcross = 29,
  kBlocksDown = 31,
  kRedness = 33,
  kRelativeNoise = 40
};

cv::Mat noise(int width, int height, double deviation, std::uint64_t seed = 1) {
  RandomStream random(seed);
  cv::Mat rgb(height, width, CV_8UC3);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto level = cv::saturate_cast<std::uint8_t>(128 + random.normal(0, deviation));
      rgb.at<cv::Vec3b>(y, x) = {level, level, level};
    }
  }
  return rgb;
}

double mean_of(const cv::Mat1f& plane) {
  return cv::mean(plane)[0];
}

TEST(TraceCells, GivesEveryWholeCellEveryTrace) {
  const auto planes = trace_cells(noise(83, 42, 5));
  ASSERT_EQ(planes.size(), static_cast<std::size_t>(kTraceChannels));
  for (const cv::Mat1f& plane : planes) {
    EXPECT_EQ(plane.size(), cv::Size(10, 5));
    EXPECT_TRUE(std::all_of(plane.begin(), plane.end(), [](float v) { return std::isfinite(v); }));
  }
  EXPECT_TRUE(trace_cells(noise(7, 40, 5)).empty());
}

TEST(TraceCells, NoiseIsToldAsALogarithmOfItsStrength) {
  const auto weak = trace_cells(noise(256, 256, 4)), strong = trace_cells(noise(256, 256, 8));
  EXPECT_NEAR(mean_of(weak[kMedianNoise]), std::log(0.05 + 0.6745 * 4), 0.08);
  EXPECT_NEAR(mean_of(strong[kMedianNoise]) - mean_of(weak[kMedianNoise]), std::log(2.0), 0.05);
}

TEST(TraceCells, ComparesWithWhatIsAsBright) {
  cv::Mat rgb = noise(256, 256, 4);
  noise(64, 64, 8, 2).copyTo(rgb(cv::Rect(96, 96, 64, 64)));
  const cv::Mat1f relative = trace_cells(rgb)[kRelativeNoise];
  EXPECT_NEAR(mean_of(relative(cv::Rect(12, 12, 8, 8))), std::log(2.0), 0.15);
  EXPECT_NEAR(mean_of(relative(cv::Rect(0, 0, 32, 10))), 0, 0.1);
}

TEST(TraceCells, DoubledPixelsAreEqualToTheirNeighbours) {
  cv::Mat small = noise(128, 256, 20), wide(256, 256, CV_8UC3);
  for (int y = 0; y < 256; ++y) {
    for (int x = 0; x < 256; ++x) wide.at<cv::Vec3b>(y, x) = small.at<cv::Vec3b>(y, x / 2);
  }
  const auto planes = trace_cells(wide);
  EXPECT_GT(mean_of(planes[kEqualAcross]), 0.5);  // every second one, and a few by chance
  EXPECT_LT(mean_of(planes[kEqualAcross]), 0.53);
  EXPECT_LT(mean_of(planes[kEqualDown]), 0.05);
}

TEST(TraceCells, BlocksAreFoundWhereverTheyBegin) {
  cv::Mat rgb = noise(256, 256, 2);
  for (int y = 0; y < 256; ++y) {
    for (int x = 0; x < 256; ++x) {
      if ((x + 3) / 8 % 2 == 0) rgb.at<cv::Vec3b>(y, x) += cv::Vec3b(10, 10, 10);
    }
  }
  const auto planes = trace_cells(rgb);
  EXPECT_GT(mean_of(planes[kBlocksAcross]), 2);
  EXPECT_LT(mean_of(planes[kBlocksDown]), 0.5);
}

TEST(TraceCells, SmoothingCorrelatesNeighbouringNoise) {
  const cv::Mat sharp = noise(256, 256, 20);
  cv::Mat smooth(sharp.size(), sharp.type());
  for (int y = 0; y < 256; ++y) {
    for (int x = 0; x < 256; ++x) {
      const int level = (sharp.at<cv::Vec3b>(y, x)[0] + sharp.at<cv::Vec3b>(y, (x + 1) % 256)[0]) / 2;
      smooth.at<cv::Vec3b>(y, x) = cv::Vec3b::all(static_cast<std::uint8_t>(level));
    }
  }
  // Second differences of white noise: -4/6. Of means of two neighbours: 1 -1 -1 1, so -1/4.
  EXPECT_NEAR(mean_of(trace_cells(sharp)[kCorrelationAcross]), -2.0 / 3, 0.05);
  EXPECT_NEAR(mean_of(trace_cells(smooth)[kCorrelationAcross]), -0.25, 0.07);
}

TEST(TraceCells, LevelsAndColours) {
  cv::Mat rgb(64, 64, CV_8UC3, cv::Scalar(132, 100, 100));
  rgb(cv::Rect(0, 0, 64, 32)).setTo(cv::Scalar(255, 255, 255));
  const auto planes = trace_cells(rgb);
  EXPECT_NEAR(planes[kRedness](7, 0), 1, 1e-5);  // 32 levels
  EXPECT_NEAR(planes[kRedness](0, 0), 0, 1e-5);
  EXPECT_FLOAT_EQ(planes[kWhite](0, 0), 1);
  EXPECT_FLOAT_EQ(planes[kWhite](7, 0), 0);
  EXPECT_NEAR(planes[kBrightness](0, 0), 255.0 / 64, 1e-4);
  EXPECT_GT(planes[kRarity](7, 0), 3);  // no level near by is in use
}

}  // namespace
}  // namespace awry::inspectors::forensics
