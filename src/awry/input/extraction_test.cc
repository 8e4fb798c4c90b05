// SPDX-License-Identifier: Apache-2.0
#include "awry/input/extraction.h"

#include <gtest/gtest.h>

#include "awry/base/files.h"
#include "awry/input/figure_regions.h"
#include "awry/input/panel_cutting.h"

namespace awry::input {
namespace {

void fill(imaging::Image& image, int left, int top, int width, int height, std::uint8_t value) {
  for (int y = top; y < top + height; ++y) {
    for (int x = left; x < left + width; ++x) std::fill_n(image.at(x, y), 3, value);
  }
}

TEST(CutPanels, CutsAtBlankSpaceInReadingOrder) {
  imaging::Image figure(400, 300, 3, 255);
  fill(figure, 220, 20, 150, 120, 90);
  fill(figure, 20, 20, 150, 120, 60);
  fill(figure, 20, 170, 150, 120, 30);
  const std::vector<Panel> panels = cut_panels(figure);
  ASSERT_EQ(panels.size(), 3U);
  EXPECT_NEAR(panels[0].box.x, 20, 2);
  EXPECT_NEAR(panels[1].box.x, 220, 2);
  EXPECT_NEAR(panels[2].box.y, 170, 2);
  EXPECT_NEAR(panels[1].box.width, 150, 3);
}

TEST(CutPanels, EveryImageIsAtLeastOnePanel) {
  EXPECT_EQ(cut_panels(imaging::Image(50, 40, 3, 255)).size(), 1U);
  EXPECT_EQ(cut_panels(imaging::Image(1, 1, 1, 0)).size(), 1U);
  EXPECT_TRUE(cut_panels(imaging::Image()).empty());
}

TEST(PagesOfBboxLayout, SurvivesWhateverTheProgramPrints) {
  EXPECT_TRUE(pages_of_bbox_layout("").empty());
  EXPECT_TRUE(pages_of_bbox_layout("<word xMin=\"1\">stray</word><line ").empty());
  const auto pages = pages_of_bbox_layout(
      "<page width=\"100\" height=\"nan\"><block xMin=\"1\" yMin=\"2\" xMax=\"9\" yMax=\"8\"><line "
      "xMin=\"1\">"
      "<word xMin=\"1\">a&amp;b</word><word xMin=\"3\">&lt;</word></line></block></page>");
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_EQ(pages[0].height, 0);
  ASSERT_EQ(pages[0].blocks.size(), 1U);
  EXPECT_EQ(pages[0].blocks[0].lines[0].text, "a&b <");
}

TEST(JoinedLines, MakesBrokenWordsWhole) {
  const std::vector<TextLine> lines = {{.text = "micro-"}, {.text = "scopy of T-"}, {.text = "Cells"}};
  EXPECT_EQ(joined_lines(lines), "microscopy of T- Cells");
}

TEST(ExtractPaper, NamesWhatIsNoPdf) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "x.pdf", "no PDF at all"));
  const auto paper = extract_paper(folder.path() / "x.pdf", folder.path() / "out");
  ASSERT_FALSE(paper);
  EXPECT_NE(paper.error().message().find("x.pdf"), std::string::npos);
  EXPECT_FALSE(extract_paper(folder.path() / "none.pdf", folder.path() / "out"));
}

}  // namespace
}  // namespace awry::input
