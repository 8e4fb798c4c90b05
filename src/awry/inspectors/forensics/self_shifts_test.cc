// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/self_shifts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "awry/imaging/opencv.h"
#include "awry/inspectors/forensics/test_panels.h"

namespace awry::inspectors::forensics {
namespace {

cv::Mat grey_of(const imaging::Image& image) {
  cv::Mat grey;
  imaging::as_mat(image).convertTo(grey, CV_32F);
  return grey;
}

std::vector<ShiftPeak> shifts_of(const cv::Mat& grey) {
  const cv::Mat detail = whitened_detail(grey, 0.6, 2.5);
  return find_self_shifts(spectrum_of(detail, padded_size(detail.size(), detail.size())), {});
}

TEST(FindSelfShifts, FindsTheShiftOfACopyOnce) {
  cv::Mat grey = grey_of(noise_panel(260, 220, 1));
  grey({20, 30, 70, 60}).clone().copyTo(grey({20 + 131, 30 + 97, 70, 60}));
  const auto peaks = shifts_of(grey);
  ASSERT_EQ(peaks.size(), 1u);
  EXPECT_EQ(peaks[0].dx, 131);
  EXPECT_EQ(peaks[0].dy, 97);
}

TEST(FindSelfShifts, FindsNothingInNoise) {
  for (const std::uint64_t seed : {2, 3, 4})
    EXPECT_TRUE(shifts_of(grey_of(noise_panel(240, 240, seed))).empty());
}

// The weave repeats at every 20 pixels; the copy lies between two of its periods.
TEST(FindSelfShifts, PutsACopyBeforeTheRhythmOfAWeave) {
  cv::Mat grey = grey_of(noise_panel(300, 300, 5, 4));
  for (int y = 0; y < grey.rows; ++y) {
    for (int x = 0; x < grey.cols; ++x)
      grey.at<float>(y, x) += static_cast<float>(40 * std::sin(x * CV_PI / 10) * std::sin(y * CV_PI / 10));
  }
  grey({10, 20, 110, 100}).clone().copyTo(grey({10 + 153, 20 + 147, 110, 100}));
  const auto peaks = shifts_of(grey);
  ASSERT_FALSE(peaks.empty());
  EXPECT_EQ(peaks[0].dx, 153);
  EXPECT_EQ(peaks[0].dy, 147);
}

}  // namespace
}  // namespace awry::inspectors::forensics
