// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/lists.h"

#include "awry/parse/support_test.h"

namespace awry::parse {
namespace {

TEST(ListMarkers, AreKnownInEveryDress) {
  struct {
    std::string_view line;
    int number;  // -1: a bullet
    std::string_view rest;
  } const cases[] = {
      {"1. one", 1, "one"},
      {"1) one", 1, "one"},
      {"(12) one", 12, "one"},
      {"[3] one", 3, "one"},
      {"@1. **Name**: x", 1, "**Name**: x"},
      {"@2 Name: x", 2, "Name: x"},
      {"@2.Name: x", 2, "Name: x"},
      {"#1 one", 1, "one"},
      {"**1.** one", 1, "one"},
      {"**2. Floating chair**", 2, "Floating chair**"},
      {"1\\. one", 1, "one"},
      {"1)one", 1, "one"},
      {"- one", -1, "one"},
      {"* one", -1, "one"},
      {"+ one", -1, "one"},
      {"\u2022 one", -1, "one"},
      {"\u2013 one", -1, "one"},
      {"- 4. one", 4, "one"},
      {"   - one", -1, "one"},
      {"1.", 1, ""},
      {"-", -1, ""},
  };
  for (const auto& c : cases) {
    const auto marker = list_marker(c.line);
    ASSERT_TRUE(marker) << c.line;
    EXPECT_EQ(marker->number.value_or(-1), c.number) << c.line;
    EXPECT_EQ(c.line.substr(marker->length), c.rest) << c.line;
  }
  EXPECT_EQ(list_marker("\t - one")->indent, 5u);
}

TEST(ListMarkers, AreNotSeenInNumbersRulesAndBoldText) {
  for (std::string_view line :
       {"",       "   ", "one",   "-5 degrees", "3.5 cm",        "10:30 sharp", "2024. A year",
        "---",    "***", "- - -", "====",       "**bold** text", "*emphasis*",  "1 one",
        "(1 one", "@",   "#",     "#tag",       "99999. x",      "\xff",        "\xe2\x80"}) {
    EXPECT_FALSE(list_marker(line)) << line;
  }
}

std::vector<std::string> texts(const TextList& list) {
  std::vector<std::string> texts;
  for (const ListItem& item : list.items) texts.push_back(item.text);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(ReadList, GroupsLinesUnderTheirItems) {
  const TextList list = read_list(
      "Found two things:\r\n"
      "\r\n"
      "1. A chair floats\r\n"
      "   above the floor.\r\n"
      "   - no shadow\r\n"
      "2. **A hand** has six fingers.\r\n");
  EXPECT_EQ(list.preamble, "Found two things:");
  EXPECT_EQ(texts(list),
            (Texts{"A chair floats\nabove the floor.\n- no shadow", "**A hand** has six fingers."}));
  EXPECT_EQ(list.items[1].number, 2);
}

TEST(ReadList, KeepsBulletsOfANumberedListInside) {
  EXPECT_EQ(texts(read_list("1. one\n- a\n- b\n2. two")), (Texts{"one\n- a\n- b", "two"}));
  EXPECT_EQ(texts(read_list("- one\n    - a\n- two")), (Texts{"one\n- a", "two"}));
  EXPECT_EQ(texts(read_list("* one\n* two")), (Texts{"one", "two"}));
}

TEST(ReadList, IsAllPreambleWithoutMarkers) {
  EXPECT_EQ(read_list("just\ntext").preamble, "just\ntext");
  EXPECT_TRUE(read_list("just\ntext").items.empty());
  EXPECT_EQ(read_list("").preamble, "");
}

TEST(ReadList, StaysLinearOnFloods) {
  for (std::string_view piece :
       {"1. ", "1.\n", "-\n", "- ", "\n", " ", "*", "@1", "- 1. a\n", "    - x\n", "\t\n"}) {
    const std::string flood = repeated(piece, 1 << 20);
    EXPECT_LT(seconds([&] { read_list(flood); }), 2.0) << piece;
  }
}

}  // namespace
}  // namespace awry::parse
