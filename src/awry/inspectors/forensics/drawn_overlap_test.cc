// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/drawn_overlap.h"

#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>
#include <string>

#include "awry/inspectors/forensics/test_panels.h"
#include "awry/inspectors/forensics/working_image.h"

namespace awry::inspectors::forensics {
namespace {

// Boxes with numbers in them, joined by lines.
cv::Mat diagram(int first_number, int second_number) {
  cv::Mat page(240, 300, CV_32F, cv::Scalar(255));
  const auto box = [&](int x, int y, int number) {
    cv::rectangle(page, {x, y, 90, 50}, cv::Scalar(60), 2);
    cv::putText(page, std::to_string(number), {x + 12, y + 34}, cv::FONT_HERSHEY_SIMPLEX, 0.8, cv::Scalar(0),
                2);
  };
  box(30, 20, first_number);
  box(180, 150, second_number);
  cv::line(page, {75, 70}, {180, 175}, cv::Scalar(60), 2);
  return page;
}

DrawnOverlap compared(const cv::Mat& first, const cv::Mat& second) {
  return look_at_drawn_overlap(first, second, cv::Mat(first.size(), CV_8U, cv::Scalar(255)));
}

TEST(DrawnOverlap, EverythingInACopyIsExplained) {
  const DrawnOverlap overlap = compared(diagram(128, 47), diagram(128, 47));
  EXPECT_TRUE(overlap.is_drawn);
  EXPECT_EQ(overlap.unexplained, 0);
  EXPECT_GT(overlap.ink, 0.02);
}

TEST(DrawnOverlap, OtherNumbersInTheSameBoxesAreNot) {
  EXPECT_GT(compared(diagram(128, 47), diagram(282, 60)).unexplained, 0.03);
}

TEST(DrawnOverlap, NorIsWhatOnlyOneOfThemShows) {
  cv::Mat more = diagram(128, 47);
  cv::putText(more, "lost: 12", {40, 140}, cv::FONT_HERSHEY_SIMPLEX, 0.8, cv::Scalar(0), 2);
  EXPECT_GT(compared(diagram(128, 47), more).unexplained, 0.03);
  EXPECT_GT(compared(more, diagram(128, 47)).unexplained, 0.03);
}

TEST(DrawnOverlap, BlurAndChangedLevelsAreAllowedFor) {
  cv::Mat blurred;
  cv::GaussianBlur(diagram(128, 47), blurred, {}, 1.0);
  EXPECT_LT(compared(diagram(128, 47), blurred).unexplained, 0.03);
  const cv::Mat paler = diagram(128, 47) * 0.6 + 80;
  EXPECT_LT(compared(diagram(128, 47), paler).unexplained, 0.03);
  cv::Mat clipped = cv::min(diagram(128, 47) * 1.5 + 40, 255.0);
  EXPECT_LT(compared(diagram(128, 47), clipped).unexplained, 0.03);
}

TEST(DrawnOverlap, TexturesAreNotDrawings) {
  const cv::Mat grey = prepare(texture(200, 200, 1), 1'000'000).grey;
  EXPECT_FALSE(compared(grey, grey).is_drawn);
}

TEST(DrawnOverlap, OfNothingSaysNothing) {
  const cv::Mat page = diagram(1, 2);
  const DrawnOverlap overlap = look_at_drawn_overlap(page, page, cv::Mat::zeros(page.size(), CV_8U));
  EXPECT_FALSE(overlap.is_drawn);
  EXPECT_EQ(overlap.unexplained, 0);
}

}  // namespace
}  // namespace awry::inspectors::forensics
