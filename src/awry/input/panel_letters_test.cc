// SPDX-License-Identifier: Apache-2.0
#include "awry/input/panel_letters.h"

#include <gtest/gtest.h>

#include <map>
#include <opencv2/imgproc.hpp>

#include "awry/imaging/opencv.h"

namespace awry::input {
namespace {

// A row of grainy pictures with a letter drawn into the corner of each, and in some a bright speck as well.
TEST(ReadPanelLetters, ReadsLettersDrawnIntoPicturesOneByOneAndTheOrderMendsTheRest) {
  if (!reading::can_read_lettering()) GTEST_SKIP() << "tesseract is not installed";
  constexpr int kSide = 300, kCount = 5;
  imaging::Image figure(kCount * kSide, kSide, 3, 0);
  cv::Mat canvas = imaging::as_mat(figure);
  cv::randu(canvas, cv::Scalar::all(30), cv::Scalar::all(90));
  std::vector<Panel> panels;
  for (int i = 0; i < kCount; ++i) {
    panels.push_back({.box = {double(i * kSide), 0, kSide, kSide}});
    cv::putText(canvas, std::string(1, static_cast<char>('A' + i)), {i * kSide + 12, 36},
                cv::FONT_HERSHEY_DUPLEX, 0.95, {255, 255, 255}, 2, cv::LINE_AA);
    if (i % 2 == 1) cv::circle(canvas, {i * kSide + 60, 60}, 8, {255, 255, 255}, -1);
  }
  const auto letters = read_panel_letters(figure, panels);
  ASSERT_TRUE(letters) << letters.error().message();
  std::map<int, std::string> of_panel;  // near its corner; the specks may be read as anything
  for (const reading::Word& letter : *letters) {
    if (letter.box.y < 40) of_panel[static_cast<int>(letter.box.x) / kSide] += letter.text;
  }
  int right = 0;
  for (int i = 0; i < kCount; ++i) right += of_panel[i] == std::string(1, static_cast<char>('A' + i)) ? 1 : 0;
  EXPECT_GE(right, kCount - 1);  // tesseract takes a D for a P now and then
  name_panels(figure, *letters, panels);
  for (int i = 0; i < kCount; ++i) EXPECT_EQ(panels[i].letter, std::string(1, static_cast<char>('a' + i)));
}

}  // namespace
}  // namespace awry::input
