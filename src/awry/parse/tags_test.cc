// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/tags.h"

#include "awry/parse/support_test.h"

namespace awry::parse {
namespace {

constexpr std::string_view kKnown[] = {"CHOICE", "CHOICES", "MASK", "PARTS", "SENTENCES", "EXPLANATION"};

struct Case {
  std::string_view reply, name, body;
  bool tolerated;
};

TEST(LastTag, ReadsWhatModelsWrite) {
  const Case cases[] = {
      {"<CHOICE>A</CHOICE><MASK>1, 2</MASK>", "MASK", "1, 2", false},
      {"<CHOICE>C</CHOICE>\n<MASK></MASK>", "MASK", "", false},
      {"<choice> b </Choice>", "CHOICE", "b", false},
      {"<CHOICES>A, C</CHOICES>", "CHOICES", "A, C", false},
      {"< CHOICE >A</ CHOICE >", "CHOICE", "A", true},
      {"<CHOICE type=\"single\">A</CHOICE>", "CHOICE", "A", true},
      {"<MASK/>", "MASK", "", true},
      {"<CHOICE>A\n<MASK>3</MASK>", "CHOICE", "A", true},
      {"<CHOICE>A<CHOICE>\n<MASK>3", "MASK", "3", true},
      {"I think it is <CHOICE>D", "CHOICE", "D", true},
      {"<CHOICE>A</CHOICE> no, wait: <CHOICE>B</CHOICE>", "CHOICE", "B", true},
      {"**<CHOICE>** A **</CHOICE>**", "CHOICE", "A", false},
      {"```xml\n<CHOICE>A</CHOICE>\n```", "CHOICE", "A", false},
      {"<MASK>4</MASK><EXPLANATION>not <MASK>9</MASK></EXPLANATION>", "MASK", "4", false},
      {"<MASK>4</MASK><EXPLANATION>else <MASK> would be empty</EXPLANATION>", "MASK", "4", false},
      {"<EXPLANATION>so <CHOICE>A</CHOICE></EXPLANATION>", "CHOICE", "A", true},
      {"<EXPLANATION>a < b and c > d</EXPLANATION>", "EXPLANATION", "a < b and c > d", false},
  };
  for (const Case& c : cases) {
    const auto tag = last_tag(c.reply, c.name, kKnown);
    ASSERT_TRUE(tag) << c.reply;
    EXPECT_EQ(tag->value, c.body) << c.reply;
    EXPECT_EQ(!tag->tolerated.empty(), c.tolerated) << c.reply << ": " << complaint_of(tag->tolerated);
  }
}

TEST(LastTag, TellsAbsentFromEmpty) {
  for (std::string_view reply :
       {"", "CHOICE: A", "<CHOICES>A</CHOICES>", "</CHOICE>", "<CHOICE", "<MASKED>1"}) {
    const auto tag = last_tag(reply, "CHOICE", kKnown);
    ASSERT_FALSE(tag) << reply;
    EXPECT_EQ(tag.error().kind, ErrorKind::kNotFound);
    EXPECT_EQ(tag.error().why, "the reply has no <CHOICE> tag");
  }
}

TEST(LastTag, FindsTheSameBodyInWhatItReturned) {
  const auto body = last_tag("x <SENTENCES>one\ntwo</SENTENCES> y", "SENTENCES", kKnown)->value;
  const auto again = last_tag("<SENTENCES>" + body + "</SENTENCES>", "SENTENCES", kKnown);
  EXPECT_EQ(again->value, body);
}

TEST(LastTag, StaysLinearOnTagFloods) {
  for (std::string_view piece :
       {"<CHOICE>", "</CHOICE>", "<", "<CHOICE ", "<CHOICE><MASK>", "<CHOICE></MASK>"}) {
    const std::string flood = repeated(piece, 1 << 20);
    EXPECT_LT(seconds([&] { (void)last_tag(flood, "CHOICE", kKnown); }), 2.0) << piece;
  }
}

}  // namespace
}  // namespace awry::parse
