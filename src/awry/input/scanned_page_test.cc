// SPDX-License-Identifier: Apache-2.0
#include "awry/input/scanned_page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>

#include "awry/base/files.h"
#include "awry/imaging/opencv.h"
#include "awry/input/extraction.h"
#include "awry/reading/lettering.h"
#include "awry/reading/limited_process.h"

namespace awry::input {
namespace {

// A page of letter size that is one grey picture and nothing else.
std::string pdf_of_scan(const imaging::Image& grey) {
  const std::string pixels(grey.pixels.begin(), grey.pixels.end());
  const std::string draw = "q 612 0 0 792 0 0 cm /I Do Q";
  const std::string objects[] = {
      "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</XObject<</I 4 0 R>>>>/Contents 5 0 R>>",
      fmt::format(
          "<</Type/XObject/Subtype/Image/Width {}/Height {}/ColorSpace/DeviceGray/BitsPerComponent 8/Length "
          "{}>>stream\n{}\nendstream",
          grey.width, grey.height, pixels.size(), pixels),
      fmt::format("<</Length {}>>stream\n{}\nendstream", draw.size(), draw)};
  std::string pdf = "%PDF-1.4\n", table;
  int number = 0;
  for (const std::string& object : objects) {
    table += fmt::format("{:010d} 00000 n \n", pdf.size());
    pdf += fmt::format("{} 0 obj\n{}\nendobj\n", ++number, object);
  }
  const std::size_t at = pdf.size();
  return pdf + fmt::format(
                   "xref\n0 6\n0000000000 65535 f \n{}trailer<</Size 6/Root 1 0 R>>\nstartxref\n{}\n%%EOF\n",
                   table, at);
}

imaging::Image scan() {
  imaging::Image page(1275, 1650, 1, 255);  // 150 dots an inch
  cv::Mat paper = imaging::as_mat(page);
  const auto write = [&](const char* text, int x, int y, double size = 0.9) {
    cv::putText(paper, text, {x, y}, cv::FONT_HERSHEY_DUPLEX, size, 0, 1, cv::LINE_AA);
  };
  write("We counted the cells of both groups on three days and found more", 110, 150);
  write("of them in the second, as shown in Figure 1 and in the table of the", 110, 190);
  write("appendix. Nothing else had changed between these two visits.", 110, 230);
  for (const int x : {160, 700}) {
    cv::rectangle(paper, {x, 400, 400, 350}, 0, 2);
    for (int i = 0; i < 5; ++i)
      cv::rectangle(paper, {x + 30 + 70 * i, 700 - 50 * i, 40, 50 + 50 * i}, 90, -1);
    // One line for tesseract, and as many words as in a line of text.
    for (int i = 0; i < 5; ++i) write(std::to_string(10 * (i + 1)).c_str(), x + 35 + 70 * i, 785, 0.7);
  }
  write("Figure 1: Cells of both groups, counted on three days.", 110, 880);
  return page;
}

TEST(ScannedPage, FigureCaptionAndSentenceAreFound) {
  if (!reading::can_read_lettering() || !reading::find_program("pdftoppm")) GTEST_SKIP();
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "scan.pdf", pdf_of_scan(scan())));
  const auto paper = extract_paper(folder.path() / "scan.pdf", folder.path() / "out");
  ASSERT_TRUE(paper) << paper.error().message();
  EXPECT_EQ(paper->scanned_pages, std::vector<int>{1});
  ASSERT_EQ(paper->figures.size(), 1U);
  const ExtractedFigure& figure = paper->figures[0];
  EXPECT_EQ(figure.number, "1");
  EXPECT_EQ(figure.panels.size(), 2U);
  EXPECT_NE(figure.caption.find("counted on three days"), std::string::npos) << figure.caption;
  ASSERT_EQ(figure.sentences.size(), 1U);
  // Points on the page are 72/150 of the scan's pixels.
  EXPECT_NEAR(figure.on_page.x, 160 * 0.48, 4);
  EXPECT_NEAR(figure.on_page.y, 400 * 0.48, 4);
  EXPECT_NEAR(figure.on_page.x + figure.on_page.width, 1100 * 0.48, 4);
}

}  // namespace
}  // namespace awry::input
