// SPDX-License-Identifier: Apache-2.0
#include "awry/input/figure_captions.h"

#include <gtest/gtest.h>

namespace awry::input {
namespace {

TextBlock block(double x, double y, double width, std::string text) {
  const Box box{x, y, width, 9};
  return {.box = box, .lines = {{box, std::move(text)}}};
}

TEST(CaptionsOf, PutTheLinesOfATornCaptionTogetherAndStopAtTheParagraphBelow) {
  const PdfPage page{.width = 612,
                     .height = 792,
                     .blocks = {block(98, 418, 415, "Figure 4: Survival of three groups as solid lines,"),
                                block(98, 430, 415, "the unweighted analysis as dashed ones. The heavier"),
                                block(98, 442, 231, "line is adjusted."),
                                block(98, 470, 415, "The command corresponds to a weighted test.")}};
  const auto captions = captions_of(page);
  ASSERT_EQ(captions.size(), 1U);
  EXPECT_EQ(captions[0].text,
            "Figure 4: Survival of three groups as solid lines, the unweighted analysis as dashed ones. The "
            "heavier line is adjusted.");
  EXPECT_EQ(captions[0].further, (std::vector<std::size_t>{1, 2}));
  EXPECT_TRUE(captions[0].covers(2));
  EXPECT_FALSE(captions[0].covers(3));
  EXPECT_EQ(captions[0].box, (Box{98, 418, 415, 33}));
}

// A finished line has room left; a longer one right below it is no part of the caption.
TEST(CaptionsOf, EndWithTheLineThatHadRoomLeft) {
  const PdfPage page{.width = 612,
                     .height = 792,
                     .blocks = {block(98, 418, 120, "Figure 4: Survival."),
                                block(98, 430, 415, "Text that runs close below it over the whole column.")}};
  ASSERT_EQ(captions_of(page).size(), 1U);
  EXPECT_EQ(captions_of(page)[0].text, "Figure 4: Survival.");
}

TEST(CaptionsOf, FindTheWordsBehindALabelThatStandsAlone) {
  const PdfPage page{
      .width = 612,
      .height = 792,
      .blocks = {block(131, 294, 39, "Figure 1:"), block(179, 294, 293, "Income and consumption in"),
                 block(179, 306, 120, "the United States"), block(90, 335, 415, "A paragraph."),
                 block(350, 500, 39, "Figure 2:")}};
  const auto captions = captions_of(page);
  ASSERT_EQ(captions.size(), 2U);
  EXPECT_EQ(captions[0].text, "Figure 1: Income and consumption in the United States");
  EXPECT_EQ(captions[1].text, "Figure 2:");
  EXPECT_FALSE(captions[0].bare);
  EXPECT_TRUE(captions[1].bare);
}

TEST(CaptionsOf, AreNotMadeOfALabelThatEndsAParagraphAndTheParagraphBelowIt) {
  TextBlock paragraph = block(98, 418, 415, "The process is shown below, in the plot of");
  paragraph.lines.push_back({{98, 430, 60, 9}, "a window:"});
  paragraph.lines.push_back({{98, 446, 42, 9}, "Figure 3."});
  const PdfPage page{
      .width = 612, .height = 792, .blocks = {paragraph, block(98, 458, 60, "> plot(process)")}};
  const auto captions = captions_of(page);
  ASSERT_EQ(captions.size(), 1U);
  EXPECT_TRUE(captions[0].bare);
  EXPECT_EQ(captions[0].text, "Figure 3.");
}

TEST(CaptionsOf, StandBesideEachOtherWithoutMixing) {
  const PdfPage page{.width = 612,
                     .height = 792,
                     .blocks = {block(60, 300, 220, "Figure 1: Left, on the first of two"),
                                block(310, 300, 220, "Figure 2: Right, on the first of two"),
                                block(60, 312, 200, "lines of it."), block(310, 312, 200, "lines of that.")}};
  const auto captions = captions_of(page);
  ASSERT_EQ(captions.size(), 2U);
  EXPECT_EQ(captions[0].text, "Figure 1: Left, on the first of two lines of it.");
  EXPECT_EQ(captions[1].text, "Figure 2: Right, on the first of two lines of that.");
}

TEST(PagesOfBboxLayout, SpellOutJoinedLettersAndTheCodesOfFontsThatDoNotSayWhatTheyMean) {
  const auto pages = pages_of_bbox_layout(
      "<page width=\"9\" height=\"9\"><block xMin=\"1\"><line xMin=\"1\"><word xMin=\"1\">pro\x1cled</word>"
      "<word xMin=\"2\">di\x1b"
      "erences</word><word xMin=\"3\">70\x15"
      "89</word><word xMin=\"4\">su\xef\xac\x83xes\x01</word></line></block></page>");
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_EQ(pages[0].blocks[0].lines[0].text, "profiled differences 70\u201389 suffixes");
}

}  // namespace
}  // namespace awry::input
