// SPDX-License-Identifier: Apache-2.0
#include "awry/input/page_furniture.h"

#include <gtest/gtest.h>

#include <string>

namespace awry::input {
namespace {

TextBlock block(const std::string& text, double y) {
  const TextLine line{.box = {60, y, 300, 10}, .text = text};
  return {.box = line.box, .lines = {line}};
}

TEST(PageFurniture, IsWhatManyPagesSayAtTheSameHeightButForTheirNumbers) {
  std::vector<PdfPage> pages;
  for (int i = 1; i <= 6; ++i) {
    const std::string number = std::to_string(i);
    PdfPage page{.number = i, .width = 600, .height = 800};
    page.blocks = {block(i % 2 == 1 ? "Journal of Examples " + number : number + " Results", 70),
                   block("Methods", 400),
                   block("An opening line of page " + std::string(1, char('a' + i)), 85),
                   block("- " + number + " -", 770)};
    pages.push_back(page);
  }
  pages[1].blocks.push_back(block("Random-effects model", 90));  // of two plots, not of the journal
  pages[3].blocks.push_back(block("Random-effects model", 90));
  set_furniture_aside(pages);
  for (const PdfPage& page : pages) {
    EXPECT_EQ(page.furniture.size(), 2) << page.number;
    ASSERT_GE(page.blocks.size(), 2) << page.number;
    EXPECT_EQ(page.blocks[0].lines[0].text, "Methods");  // in the middle of the page: a heading
  }
  EXPECT_EQ(pages[1].blocks.back().lines[0].text, "Random-effects model");
}

TEST(PageFurniture, NeedsMoreThanTwoPages) {
  std::vector<PdfPage> pages(2, {.width = 600, .height = 800, .blocks = {block("A title", 50)}});
  set_furniture_aside(pages);
  EXPECT_EQ(pages[0].blocks.size(), 1);
}

}  // namespace
}  // namespace awry::input
