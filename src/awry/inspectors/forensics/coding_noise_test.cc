// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/coding_noise.h"

#include <gtest/gtest.h>

#include "awry/imaging/perturb.h"
#include "awry/inspectors/forensics/test_panels.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

cv::Mat grey_of(const imaging::Image& image) {
  return prepare(image, 1'000'000).grey;
}

TEST(CodingNoise, ReadsTheQualityFromTheStepsOfTheCoefficients) {
  for (const int quality : {50, 70, 85, 92}) {
    const auto coded = imaging::jpeg_round_trip(texture(256, 192, 3), quality);
    ASSERT_TRUE(coded);
    EXPECT_NEAR(jpeg_quality_of(grey_of(*coded)), quality, 2) << quality;
  }
}

TEST(CodingNoise, FindsNoStepsWhereThereAreNone) {
  EXPECT_EQ(jpeg_quality_of(grey_of(texture(256, 192, 4))), 0);
  EXPECT_EQ(jpeg_quality_of(grey_of(noise_panel(256, 192, 5))), 0);
  EXPECT_EQ(jpeg_quality_of(cv::Mat(200, 200, CV_32F, cv::Scalar(90))), 0);
  EXPECT_EQ(jpeg_quality_of(cv::Mat(5, 5, CV_32F, cv::Scalar(90))), 0);
}

TEST(CodingNoise, RoundingToGreyLevelsIsATwelfthOfALevelSquaredOverAllBands) {
  // The whole band from the mean's neighbourhood to the finest detail: all of the rounding error but its
  // mean.
  EXPECT_NEAR(coding_noise(0, 0, 1000), 1 / 12.0, 0.01);
}

TEST(CodingNoise, GrowsAsQualityFalls) {
  const double fine = 0.8, coarse = 3.5;
  EXPECT_LT(coding_noise(0, fine, coarse), coding_noise(95, fine, coarse));
  EXPECT_LT(coding_noise(95, fine, coarse), coding_noise(70, fine, coarse));
  EXPECT_LT(coding_noise(70, fine, coarse), coding_noise(40, fine, coarse));
}

}  // namespace
}  // namespace awry::inspectors::forensics
