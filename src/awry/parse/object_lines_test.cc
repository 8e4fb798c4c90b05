// SPDX-License-Identifier: Apache-2.0
#include "awry/base/text.h"
#include "awry/parse/anomalies.h"
#include "awry/parse/support_test.h"

namespace awry::parse {

void PrintTo(const ObjectLine& line, std::ostream* out) {
  *out << line.name << " | " << line.description;
}

namespace {

using Lines = std::vector<ObjectLine>;

TEST(ReadObjectLines, ReadsEveryForm) {
  const Lines two = {{"Left hand", "six fingers, two fused"}, {"Cup", "red: no handle"}};
  for (std::string_view reply : {
           "#Left hand#: six fingers, two fused\n#Cup#: red: no handle",
           "# Left hand #: six fingers, two fused\r\n\r\n# Cup # : red: no handle\r\n",
           "1. #Left hand#: six fingers, two fused\n2. #Cup#: red: no handle",
           "- **#Left hand#**: six fingers, two fused\n- **#Cup#**: red: no handle",
           "**#Left hand#: six fingers, two fused**\n**#Cup#: red: no handle**",
           "The objects are:\n#Left hand#: six fingers,\ntwo fused\n#Cup#: red: no handle",
           "#Left hand#:\nsix fingers, two fused\n#Cup# red: no handle",
           "Left hand: six fingers, two fused\nCup: red: no handle",
           "1. **Left hand**: six fingers, two fused\n2. **Cup**: red: no handle",
           "Objects in view:\n- Left hand: six fingers, two fused\n- Cup: red: no handle",
           "* Left hand:\n  six fingers, two fused\n* Cup: red: no handle",
       }) {
    const auto read = read_object_lines(reply);
    ASSERT_TRUE(read) << reply << ": " << read.error().message();
    EXPECT_EQ(read->value, two) << reply;
  }
}

TEST(ReadObjectLines, TellsANameThatBeginsWithANumberFromAMarker) {
  EXPECT_EQ(read_object_lines("#2 people#: talking\n#1 #Cup#: red\n#3)#: odd")->value,
            (Lines{{"2 people", "talking"}, {"Cup", "red"}, {"3)", "odd"}}));
}

TEST(ReadObjectLines, SaysWhatItOverlooked) {
  EXPECT_TRUE(mentions(read_object_lines("Cup: red")->tolerated, "without #"));
  EXPECT_TRUE(mentions(read_object_lines("I see:\n#Cup#: red")->tolerated, "words before"));
  EXPECT_TRUE(mentions(read_object_lines("#Cup#:\n#Hand#: left")->tolerated, "without a description"));
  EXPECT_TRUE(read_object_lines("#Cup#: red")->tolerated.empty());
}

TEST(ReadObjectLines, RefusesToGuess) {
  for (std::string_view reply :
       {"", "\n\n", "a cup and a hand", "#Cup", "##: red", "#Cup#:", "It is odd. Really: yes",
        "Here is what I can see in the picture after looking at it for a good long while: a cup",
        "Objects:"}) {
    EXPECT_EQ(why(read_object_lines(reply)), "no line reads '#Name#: description'") << reply;
  }
}

TEST(ReadObjectLines, RepairsInvalidText) {
  const auto read = read_object_lines("#\xff#: caf\xe9\n\xf0\x9f");
  ASSERT_TRUE(read);
  EXPECT_TRUE(is_valid_utf8(read->value[0].name + read->value[0].description));
}

TEST(ReadObjectLines, StaysLinearOnFloods) {
  for (std::string_view piece :
       {"#", "#a#: b\n", "#a#", "\n", "a: b\n", ":", "*", "* ", "a\n", "- ", "_", "#a#:\n"}) {
    const std::string flood = repeated(piece, 1 << 20);
    EXPECT_LT(seconds([&] { (void)read_object_lines(flood); }), 2.0) << piece;
    EXPECT_LT(seconds([&] { (void)read_object_lines("#a#: b\n" + flood); }), 2.0) << piece;
  }
}

}  // namespace
}  // namespace awry::parse
