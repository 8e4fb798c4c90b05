// SPDX-License-Identifier: Apache-2.0
#include "awry/input/panel_cutting.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "awry/base/random.h"

namespace awry::input {
namespace {

struct Colour {
  int red, green, blue;
};

// A picture with grain, so that it is no even patch.
void paint(imaging::Image& figure, const Box& box, Colour colour, RandomStream random) {
  for (int y = static_cast<int>(box.y); y < static_cast<int>(box.y + box.height); ++y) {
    for (int x = static_cast<int>(box.x); x < static_cast<int>(box.x + box.width); ++x) {
      const int grain = random.integer(-9, 9);
      auto* pixel = figure.at(x, y);
      pixel[0] = static_cast<std::uint8_t>(std::clamp(colour.red + grain, 0, 255));
      pixel[1] = static_cast<std::uint8_t>(std::clamp(colour.green + grain, 0, 255));
      pixel[2] = static_cast<std::uint8_t>(std::clamp(colour.blue + grain, 0, 255));
    }
  }
}

// A slice of a scan: something bright in the middle of pure black.
void paint_scan(imaging::Image& figure, const Box& box) {
  for (int y = static_cast<int>(box.y); y < static_cast<int>(box.y + box.height); ++y) {
    for (int x = static_cast<int>(box.x); x < static_cast<int>(box.x + box.width); ++x) {
      const double u = (x - box.x) / box.width * 2 - 1, v = (y - box.y) / box.height * 2 - 1;
      std::fill_n(figure.at(x, y), 3, u * u + v * v < 0.36 ? 160 : 0);
    }
  }
}

void expect_boxes(const std::vector<Panel>& panels, const std::vector<Box>& boxes) {
  ASSERT_EQ(panels.size(), boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    EXPECT_NEAR(panels[i].box.x, boxes[i].x, 3) << i;
    EXPECT_NEAR(panels[i].box.y, boxes[i].y, 3) << i;
    EXPECT_NEAR(panels[i].box.width, boxes[i].width, 4) << i;
    EXPECT_NEAR(panels[i].box.height, boxes[i].height, 4) << i;
  }
}

TEST(CutPanels, TellsTouchingPicturesApartByTheirColour) {
  imaging::Image figure(640, 440, 3, 255);
  const std::vector<Box> boxes = {
      {20, 20, 300, 200}, {320, 20, 300, 200}, {20, 220, 300, 200}, {320, 220, 300, 200}};
  // All as bright as one another: in grey nothing would be seen.
  const Colour colours[] = {{150, 60, 60}, {60, 112, 60}, {70, 70, 195}, {120, 78, 60}};
  for (std::size_t i = 0; i < 4; ++i) paint(figure, boxes[i], colours[i], RandomStream(i));
  expect_boxes(cut_panels(figure), boxes);
}

TEST(CutPanels, SeesAWhiteGutterBesideABlackMargin) {
  imaging::Image figure(643, 340, 3, 255);
  const std::vector<Box> boxes = {{20, 20, 300, 300}, {323, 20, 300, 300}};
  paint_scan(figure, boxes[0]);
  paint(figure, boxes[1], {60, 140, 60}, RandomStream(3));
  expect_boxes(cut_panels(figure), boxes);
}

TEST(CutPanels, CutsBlackScansThatTouchWhereTheOthersSayThatAnEdgeIs) {
  imaging::Image figure(940, 340, 3, 255);
  const std::vector<Box> boxes = {{20, 20, 300, 300}, {320, 20, 300, 300}, {620, 20, 300, 300}};
  paint_scan(figure, boxes[0]);
  paint_scan(figure, boxes[1]);
  paint(figure, boxes[2], {150, 60, 90}, RandomStream(4));
  expect_boxes(cut_panels(figure), boxes);
}

TEST(CutPanels, LeavesOneScanWhole) {
  imaging::Image figure(640, 340, 3, 255);
  paint_scan(figure, {20, 20, 600, 300});
  EXPECT_EQ(cut_panels(figure).size(), 1U);
}

TEST(NamePanels, WhereMostLettersAreInOrderTheMisreadOneIsPutRight) {
  imaging::Image figure(640, 440, 3, 255);
  std::vector<Panel> panels;
  const std::vector<Box> boxes = {
      {20, 20, 280, 180}, {340, 20, 280, 180}, {20, 240, 280, 180}, {340, 240, 280, 180}};
  std::vector<reading::Word> words;
  for (std::size_t i = 0; i < 4; ++i) {
    paint(figure, boxes[i], {90, 90, 90}, RandomStream(i));
    panels.push_back({.box = boxes[i], .letter = ""});
    words.push_back({.text = std::string(1, "AECD"[i]),
                     .box = {boxes[i].x + 4, boxes[i].y + 4, 12, 14},
                     .confidence = 80});
  }
  name_panels(figure, words, panels);
  ASSERT_EQ(panels.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(panels[i].letter, std::string(1, "abcd"[i]));
}

TEST(NamePanels, LettersPrintedBelowBelongToThePanelAboveThem) {
  imaging::Image figure(640, 440, 3, 255);
  std::vector<Panel> panels;
  std::vector<reading::Word> words;
  for (std::size_t i = 0; i < 4; ++i) {
    const Box box{20.0 + 320 * static_cast<double>(i % 2), 20.0 + 205 * static_cast<double>(i / 2), 280, 200};
    paint(figure, {box.x, box.y, 280, 180}, {90, 90, 90}, RandomStream(i));
    panels.push_back({.box = box, .letter = ""});
    words.push_back({.text = std::string("(") + "abcd"[i] + ")",
                     .box = {box.x + 130, box.y + 182, 20, 14},
                     .confidence = 80});
  }
  name_panels(figure, words, panels);
  ASSERT_EQ(panels.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(panels[i].letter, std::string(1, "abcd"[i]));
}

}  // namespace
}  // namespace awry::input
