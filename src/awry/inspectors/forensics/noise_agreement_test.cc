// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/noise_agreement.h"

#include <gtest/gtest.h>

#include <cmath>

#include "awry/imaging/opencv.h"
#include "awry/inspectors/forensics/dense_check.h"
#include "awry/inspectors/forensics/false_alarms.h"
#include "awry/inspectors/forensics/test_panels.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

cv::Mat grey_of(const imaging::Image& image) {
  cv::Mat grey;
  imaging::as_mat(image).convertTo(grey, CV_32F);
  return grey;
}

// The inside of one strip, short of its frame and of its last lane.
cv::Mat lanes_of_a_strip() {
  using B = BlotPanel;
  cv::Mat where = cv::Mat::zeros(B::kSize, B::kSize, CV_8U);
  where({B::kLeft + 8, B::strip_top(0) + 8, (B::kLanes - 1) * B::kPitch - 16, B::kStripHeight - 16}) = 255;
  return where;
}

TEST(CompareNoise, TellsACopyFromAResemblance) {
  cv::Mat grey = grey_of(blot(1));
  const cv::Mat where = lanes_of_a_strip();
  const Motion next_strip = translation(0, BlotPanel::strip_top(1) - BlotPanel::strip_top(0));
  const NoiseAgreement alike = compare_noise(grey, next_strip, where);
  EXPECT_LT(alike.correlation, 0.5);
  const cv::Rect strip = {BlotPanel::kLeft, BlotPanel::strip_top(0), 276, BlotPanel::kStripHeight};
  grey(strip).clone().copyTo(grey(strip + cv::Point(0, BlotPanel::strip_top(1) - BlotPanel::strip_top(0))));
  const NoiseAgreement copied = compare_noise(grey, next_strip, where);
  EXPECT_GT(copied.correlation, 0.99);
  EXPECT_LT(copied.log10_chance, -50);
}

// Without noise to go by, equal shapes must not count as proof.
TEST(CompareNoise, GrantsNothingToSmoothShapesThatNearlyAgree) {
  cv::Mat grey = grey_of(blot(2));
  for (int y = 0; y < grey.rows; ++y) {
    for (int x = 0; x < grey.cols; ++x) {
      grey.at<float>(y, x) = static_cast<float>(128 + 60 * std::sin(x / 3.0) * std::sin(y / 4.0) +
                                                (x > 160 ? 12 * std::sin(x / 2.0 + y / 2.0) : 0));
    }
  }
  cv::Mat where = cv::Mat::zeros(grey.size(), CV_8U);
  where({20, 20, 100, 250}) = 255;
  EXPECT_GT(compare_noise(grey, translation(170, 0), where).log10_chance, -4);
}

TEST(Log10NormalTail, BoundsTheTailFromAbove) {
  EXPECT_EQ(log10_normal_tail(-1), 0);
  for (const double z : {0.5, 1.0, 3.0, 6.0}) {
    const double exact = std::log10(0.5 * std::erfc(z / std::sqrt(2.0)));
    EXPECT_GE(log10_normal_tail(z), exact);
    EXPECT_LE(log10_normal_tail(z), exact + 1.3);
  }
  EXPECT_LT(log10_normal_tail(100), -2000);
}

TEST(Filters, LeaveTheirInputAsItWas) {
  const cv::Mat grey = grey_of(texture(64, 64, 3)), before = grey.clone();
  band_pass(grey, 0.6, 3);
  band_pass(grey, 0, 1);
  warp_to_first(grey, similarity(2, 10, 3, 4), {32, 32}, nullptr);
  refine_motion(grey, grey, translation(1, 1));
  compare_densely(grey, grey, similarity(1.5, 0, 0, 0));
  EXPECT_EQ(cv::norm(grey, before, cv::NORM_INF), 0);
}

}  // namespace
}  // namespace awry::inspectors::forensics
