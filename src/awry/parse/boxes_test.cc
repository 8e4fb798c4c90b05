// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/boxes.h"

#include "awry/parse/support_test.h"

namespace awry::parse {
namespace {

const BoxRules kPhoto = {.width = 640, .height = 480};
const BoxRules kAnything = {
    .width = 640,
    .height = 480,
    .frames = {BoxFrame::kPixels, BoxFrame::kUnit, BoxFrame::kPercent, BoxFrame::kThousand},
    .layouts = {BoxLayout::kCorners, BoxLayout::kCornerAndSize}};

void expect_box(const FramedBox& found, Box expected, std::string_view reply) {
  EXPECT_NEAR(found.box.x, expected.x, 1e-9) << reply;
  EXPECT_NEAR(found.box.y, expected.y, 1e-9) << reply;
  EXPECT_NEAR(found.box.width, expected.width, 1e-9) << reply;
  EXPECT_NEAR(found.box.height, expected.height, 1e-9) << reply;
}

TEST(ReadBox, ReadsEveryNotation) {
  for (std::string_view reply : {
           "[64, 48, 320, 240]",
           "{\"box\": [64, 48, 320, 240]}",
           "{\"box\": [\"x1\": 64, \"y1\": 48, \"x2\": 320, \"y2\": 240]}",  // CAVE's own prompt
           "{\"box\": [{\"x1\": 64, \"y1\": 48, \"x2\": 320, \"y2\": 240}]}",
           "{\"box\": {\"x1\": 64, \"y1\": 48, \"x2\": 320, \"y2\": 240}}",
           "```json\n{\"box\": {\"x1\": 64, \"y1\": 48, \"x2\": 320, \"y2\": 240}}\n```",
           "{\"box\": [x1: 64, y1: 48, x2: 320, y2: 240]}",
           "{\"bbox_2d\": [64, 48, 320, 240], \"label\": \"a hand\"}",
           "{\"box_2d\": [48, 64, 240, 320]}",  // y first under this key
           "{\"bounding_box\": \"64, 48, 320, 240\"}",
           "{\"bbox\": [\"64\", \"48\", \"320\", \"240\"]}",
           "{\"x_min\": 64, \"y_min\": 48, \"x_max\": 320, \"y_max\": 240}",
           "{\"left\": 64, \"top\": 48, \"right\": 320, \"bottom\": 240}",
           "{\"x0\": 64, \"y0\": 48, \"x1\": 320, \"y1\": 240}",
           "{\"x\": 64, \"y\": 48, \"width\": 256, \"height\": 192}",
           "{\"left\": 64, \"top\": 48, \"width\": 256, \"height\": 192}",
           "{\"top_left\": [64, 48], \"bottom_right\": [320, 240]}",
           "[[64, 48], [320, 240]]",
           "(64, 48, 320, 240)",
           "<box>(64,48),(320,240)</box>",
           "<|box_start|>(64,48),(320,240)<|box_end|>",
           "The box is x1=64, y1=48, x2=320, y2=240.",
           "top-left [64, 48], bottom-right [320, 240]",
           "64 48 320 240",
           "It sits at 64, 48 to 320, 240 pixels.",
           "{'box': (64, 48, 320, 240)}",
           "[64.0, 48.0, 320.0, 240.0]",
           "\\boxed{[64, 48, 320, 240]}",
       }) {
    const auto read = read_box(reply, kPhoto);
    ASSERT_TRUE(read) << reply << ": " << read.error().message();
    expect_box(read->value, {64, 48, 256, 192}, reply);
    EXPECT_EQ(read->value.frame, BoxFrame::kPixels) << reply;
  }
}

TEST(ReadBox, BringsEveryFrameToPixels) {
  struct {
    std::string_view reply;
    BoxFrame frame;
  } const cases[] = {
      {"[0.1, 0.1, 0.5, 0.5]", BoxFrame::kUnit},
      {"{\"x1\": 0.1, \"y1\": 0.1, \"x2\": 0.5, \"y2\": 0.5}", BoxFrame::kUnit},
      {"[\"10%\", \"10%\", \"50%\", \"50%\"]", BoxFrame::kPercent},
      {"x1: 10%, y1: 10%, x2: 50%, y2: 50%", BoxFrame::kPercent},
      {"{\"x\": \"10%\", \"y\": \"10%\", \"w\": \"40%\", \"h\": \"40%\"}", BoxFrame::kPercent},
      {"[64, 48, 320, 240]", BoxFrame::kPixels},
  };
  for (const auto& c : cases) {
    const auto read = read_box(c.reply, kPhoto);
    ASSERT_TRUE(read) << c.reply << ": " << read.error().message();
    expect_box(read->value, {64, 48, 256, 192}, c.reply);
    EXPECT_EQ(read->value.frame, c.frame) << c.reply << ": " << name_of(read->value.frame);
  }
  // Beyond 640x480 only 0-1000 is left.
  const auto thousand = read_box("[100, 100, 700, 500]", kPhoto);
  ASSERT_TRUE(thousand);
  EXPECT_EQ(thousand->value.frame, BoxFrame::kThousand);
  expect_box(thousand->value, {64, 48, 384, 192}, "0-1000");
  // Where percent comes first, small numbers are percentages.
  const auto percent =
      read_box("[10, 10, 50, 50]", {.width = 640, .height = 480, .frames = {BoxFrame::kPercent}});
  expect_box(percent->value, {64, 48, 256, 192}, "percent");
}

TEST(ReadBox, SaysWhichOtherFrameCouldBeMeant) {
  EXPECT_TRUE(mentions(read_box("[64, 48, 320, 240]", kPhoto)->tolerated, "pixels; 0-1000 would fit too"));
  EXPECT_TRUE(mentions(read_box("[0, 0, 1, 1]", kPhoto)->tolerated, "taken as 0-1"));
  EXPECT_TRUE(read_box("[0.1, 0.1, 0.5, 0.5]", kPhoto)->tolerated.empty());
  EXPECT_TRUE(mentions(read_box("{\"box_2d\": [48, 64, 240, 320]}", kPhoto)->tolerated, "y before x"));
  const BoxRules pixels_only = {.width = 640, .height = 480, .frames = {BoxFrame::kPixels}};
  EXPECT_TRUE(read_box("[64, 48, 320, 240]", pixels_only)->tolerated.empty());
}

TEST(ReadBox, TakesTheSecondLayoutOnlyWhenTheFirstHasNoSize) {
  const auto read = read_box("[300, 200, 50, 40]", kAnything);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->value.layout, BoxLayout::kCornerAndSize);
  expect_box(read->value, {300, 200, 50, 40}, "xywh");
  EXPECT_TRUE(mentions(read->tolerated, "xywh"));
  EXPECT_EQ(read_box("[50, 40, 300, 200]", kAnything)->value.layout, BoxLayout::kCorners);
}

TEST(ReadBox, CutsToTheImageAndSaysSo) {
  const BoxRules pixels_only = {.width = 640, .height = 480, .frames = {BoxFrame::kPixels}};
  const auto read = read_box("[-20, 100, 900, 300]", pixels_only);
  ASSERT_TRUE(read);
  expect_box(read->value, {0, 100, 640, 200}, "cut");
  EXPECT_TRUE(mentions(read->tolerated, "cut to it"));
  EXPECT_EQ(read_box("[10, 10, 641, 481]", kPhoto)->value.frame, BoxFrame::kPixels);
}

TEST(ReadBox, RefusesToGuess) {
  struct {
    std::string_view reply, why;
  } const cases[] = {
      {"", "there are no four numbers that make a box"},
      {"in the middle", "there are no four numbers that make a box"},
      {"[1, 2, 3]", "there are no four numbers that make a box"},
      {"[1, 2, 3, 4, 5]", "there are no four numbers that make a box"},
      {"{\"cx\": 100, \"cy\": 100, \"w\": 20, \"h\": 20}", "there are no four numbers that make a box"},
      {"2 cats on a 640 by 480 image, 1 odd", "there are no four numbers that make a box"},
      {"{\"severity\": 1, \"surprisal\": 2, \"complexity\": 3, \"n\": 4}",
       "there are no four numbers that make a box"},
      {"10%, 20, 30%, 40", "there are no four numbers that make a box"},
      {"[320, 240, 64, 48]", "its width or height is not above 0"},
      {"[64, 240, 320, 48]", "its width or height is not above 0"},
      {"[64, 48, 64, 240]", "its width or height is not above 0"},
      {"[0, 0, 0, 0]", "its width or height is not above 0"},
      {"[5000, 5000, 6000, 6000]", "it lies outside the image"},
      {"[-50, -50, -10, -10]", "it lies outside the image"},
      {"[\"nan\", 1, 2, 3]", "a coordinate is not a finite number"},
      {"[\"inf\", 1, 2, 3]", "a coordinate is not a finite number"},
      {"[NaN, 1, 2, 3, 4]", "a coordinate is not a finite number"},
      {"[1, 2, 1e999, 4]", "a coordinate is not a finite number"},
      {"[[1, 2, 3, 4], [5, 6, 7, 8]]", "it holds 2 boxes where one is asked for"},
  };
  for (const auto& c : cases) EXPECT_EQ(why(read_box(c.reply, kPhoto)), c.why) << c.reply;
  EXPECT_EQ(why(read_box("[1, 2, 3, 4]", {})), "the size of the image is unknown");
  EXPECT_FALSE(read_box("{\"box\": [64, 48, 320, 24", kPhoto));
  EXPECT_FALSE(read_box("{\"box\": [64, 48, 320", kPhoto));
}

TEST(ReadBoxes, ReadsSeveral) {
  for (std::string_view reply : {
           "[[10, 20, 30, 40], [50, 60, 70, 80]]",
           "[{\"box\": [10, 20, 30, 40]}, {\"box\": [50, 60, 70, 80]}]",
           "{\"boxes\": [[10, 20, 30, 40], [50, 60, 70, 80]]}",
           "{\"box\": [10, 20, 30, 40]}\n{\"box\": [50, 60, 70, 80]}",
           "{\"box\": [10, 20, 30, 40], \"box\": [50, 60, 70, 80]}",
       }) {
    const auto read = read_boxes(reply, kPhoto);
    ASSERT_TRUE(read) << reply << ": " << read.error().message();
    ASSERT_EQ(read->value.size(), 2u) << reply;
    expect_box(read->value[0], {10, 20, 20, 20}, reply);
    expect_box(read->value[1], {50, 60, 20, 20}, reply);
  }
}

TEST(ReadBoxes, StaysLinearOnFloods) {
  for (std::string_view piece :
       {"[1,2,3,4],", "[", "1 ", "x1", "{\"box\":", "%", "1%", "(1,2)", "\xff", "box "}) {
    const std::string flood = repeated(piece, 1 << 20);
    EXPECT_LT(seconds([&] { (void)read_boxes(flood, kPhoto); }), 2.0) << piece;
    EXPECT_LT(seconds([&] { (void)read_boxes("[" + flood + "]", kPhoto); }), 2.0) << piece;
  }
}

}  // namespace
}  // namespace awry::parse
