// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/blocks.h"

#include "awry/base/text.h"
#include "awry/parse/support_test.h"

namespace awry::parse {
namespace {

using Blocks = std::vector<int>;

TEST(ReadBlocks, ReadsListsAndRanges) {
  struct {
    std::string_view body;
    Blocks blocks;
  } const cases[] = {
      {"1, 2, 5-8", {1, 2, 5, 6, 7, 8}},
      {"[1,2]", {1, 2}},
      {"['3', '4']", {3, 4}},
      {"blocks 3 and 4", {3, 4}},
      {"Regions: 7; 9", {7, 9}},
      {"5\u20137", {5, 6, 7}},
      {"5 to 7", {5, 6, 7}},
      {"5..7", {5, 6, 7}},
      {"2 1 2", {1, 2}},
      {"**6**", {6}},
      {"1, 2 (top left)", {1, 2}},
      {"block_3, block_12", {3, 12}},
      {"#4, #5.", {4, 5}},
      {"{\"blocks\": [1, 16]}", {1, 16}},
      {"all", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
  };
  for (const auto& c : cases) {
    const auto read = read_blocks(c.body, 16);
    ASSERT_TRUE(read) << c.body << ": " << read.error().message();
    EXPECT_EQ(read->value, c.blocks) << c.body;
  }
}

TEST(ReadBlocks, KnowsTheWaysToSayNothing) {
  for (std::string_view body :
       {"", "  \n", "none", "None.", "NULL", "0", "[]", "[ ]", "empty", "EMPTY", "N/A", "-", "\"\"",
        "none of the blocks", "no mask required", "{}", "**none**", "(none)"}) {
    const auto read = read_blocks(body, 16);
    ASSERT_TRUE(read) << body << ": " << read.error().message();
    EXPECT_TRUE(read->value.empty()) << body;
  }
}

TEST(ReadBlocks, RefusesWhatItCannotKnow) {
  struct {
    std::string_view body, why;
  } const cases[] = {
      {"17", "block 17 is outside 1..16"},
      {"0, 3", "block 0 is outside 1..16"},
      {"-3", "block -3 is outside 1..16"},
      {"3.5", "3.5 is not a whole number"},
      {"8-5", "the range 8-5 runs backwards"},
      {"1-999999999999999999999", "block 999999999999999999999 is outside 1..16"},
      {"row 2", "'row' leaves open which blocks are meant"},
      {"3 or 4", "it offers alternatives with 'or'"},
      {"top left", "it holds no number"},
      {"none except the top row", "it holds no number"},
      {"no idea", "it holds no number"},
      {"all but the last", "it holds no number"},
      {"3rd", "'3' runs into a word"},
      {"(1,2) to (3", "unexpected"},
  };
  for (const auto& c : cases) {
    if (c.why == "unexpected") {
      EXPECT_FALSE(read_blocks(c.body, 16)) << c.body;
    } else {
      EXPECT_EQ(why(read_blocks(c.body, 16)), c.why) << c.body;
    }
  }
  EXPECT_EQ(why(read_blocks("all", 0)), "'all' of an unknown number of blocks");
  EXPECT_FALSE(read_blocks(repeated("1-99999,", 1000), 0));
}

TEST(ReadBlocks, ReadsBackWhatItPrints) {
  const Blocks blocks = read_blocks("9, 2, 5-7, 2", 9)->value;
  std::string printed;
  for (int block : blocks) printed += std::to_string(block) + ",";
  const auto again = read_blocks(printed, 9);
  EXPECT_EQ(again->value, blocks);
}

TEST(ReadBlocks, StaysLinearOnFloods) {
  for (std::string_view piece : {"1,", "(", "(a", "1-", "-", "\xff", " "}) {
    const std::string flood = repeated(piece, 1 << 20);
    EXPECT_LT(seconds([&] { (void)read_blocks(flood, 16); }), 2.0) << piece;
  }
}

}  // namespace
}  // namespace awry::parse
