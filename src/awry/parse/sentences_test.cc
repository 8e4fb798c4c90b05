// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/sentences.h"

#include "awry/base/text.h"
#include "awry/parse/support_test.h"

namespace awry::parse {
namespace {

using Sentences = std::vector<std::string>;

TEST(ReadSentences, ReadsEveryForm) {
  const Sentences both = {"Lane 2 is brighter, as expected.", "The ratio fell; n = 3."};
  for (std::string_view body : {
           "Lane 2 is brighter, as expected.\nThe ratio fell; n = 3.",
           "Lane 2 is brighter, as expected.\r\n\r\n  The ratio fell; n = 3.\r\n",
           "1. Lane 2 is brighter, as expected.\n2. The ratio fell; n = 3.",
           "- Lane 2 is brighter, as expected.\n- \"The ratio fell; n = 3.\"",
           "The wrong ones are:\n* Lane 2 is brighter, as expected.\n* The ratio fell; n = 3.",
           R"(["Lane 2 is brighter, as expected.", "The ratio fell; n = 3."])",
           R"(['Lane 2 is brighter, as expected.', 'The ratio fell; n = 3.',])",
           R"({"sentences": ["Lane 2 is brighter, as expected.", "The ratio fell; n = 3."]})",
           R"({"1": "Lane 2 is brighter, as expected.", "2": "The ratio fell; n = 3."})",
           "```json\n[\"Lane 2 is brighter, as expected.\", \"The ratio fell; n = 3.\"]\n```",
           R"("Lane 2 is brighter, as expected.", "The ratio fell; n = 3.")",
           R"("Lane 2 is brighter, as expected."; "The ratio fell; n = 3.")",
           "\u201cLane 2 is brighter, as expected.\u201d, \u201cThe ratio fell; n = 3.\u201d",
           R"(["Lane 2 is brighter, as expected.", "The ratio fell; n = 3.)",
           "\"Lane 2 is brighter, as expected.\",\n\"The ratio fell; n = 3.\"",
       }) {
    EXPECT_EQ(read_sentences(body), both) << body;
  }
}

TEST(ReadSentences, KeepsOneSentenceWhole) {
  for (std::string_view body : {"A, b; and c.", "[Fig. 3] shows a drop.", "{unfinished", "[3",
                                "The \"band\" is \"wide\".", "\"A\" rose to 5.", "p = 0.05 \u2013 0.07"}) {
    EXPECT_EQ(read_sentences(body), Sentences{std::string(body)}) << body;
  }
  EXPECT_EQ(read_sentences("'A.'"), Sentences{"A."});
  EXPECT_EQ(read_sentences("**A.**"), Sentences{"A."});
  EXPECT_EQ(read_sentences("\"A \u2013 b.\", \"C.\""), (Sentences{"A \u2013 b.", "C."}));
}

TEST(ReadSentences, DropsNothingBeforeAList) {
  EXPECT_EQ(read_sentences("It rose.\n- It fell."), (Sentences{"It rose.", "It fell."}));
}

TEST(ReadSentences, KnowsTheWaysToSayNothing) {
  for (std::string_view body :
       {"", " \n ", "none", "None.", "[]", "{}", "N/A", "EMPTY", "[\"none\"]", "- none", "\"\""}) {
    EXPECT_EQ(read_sentences(body), Sentences{}) << body;
  }
}

TEST(ReadSentences, RepairsInvalidText) {
  const Sentences read = read_sentences("caf\xe9\n\xff\xfe");
  ASSERT_EQ(read.size(), 2u);
  for (const std::string& sentence : read) EXPECT_TRUE(is_valid_utf8(sentence));
}

TEST(ReadSentences, StaysLinearOnFloods) {
  for (std::string_view piece :
       {"a\n", "\"", "\"a\",", "[", "[\"", "1. a\n", "\n", " ", "```", "\xe2\x80\x9c", "{\"a\":"}) {
    const std::string flood = repeated(piece, 1 << 20);
    EXPECT_LT(seconds([&] { read_sentences(flood); }), 2.0) << piece;
  }
}

const PartName kParts[] = {{"caption", {"figure caption"}}, {"related", {"related sentences", "text"}}};

TEST(ReadParts, ReadsNamesAndAliases) {
  struct {
    std::string_view body;
    Sentences parts;
    bool tolerated;
  } const cases[] = {
      {"caption", {"caption"}, false},
      {"Caption.", {"caption"}, false},
      {"caption, related", {"caption", "related"}, false},
      {"related / caption", {"related", "caption"}, false},
      {"caption and related", {"caption", "related"}, false},
      {"[\"caption\", \"related\"]", {"caption", "related"}, false},
      {"- caption\n- caption", {"caption"}, false},
      {"figure_caption; related-sentences", {"caption", "related"}, true},
      {"none", {}, false},
      {"", {}, false},
      {"[]", {}, false},
      {"EMPTY", {}, false},
  };
  for (const auto& c : cases) {
    const auto read = read_parts(c.body, kParts);
    ASSERT_TRUE(read) << c.body << ": " << read.error().message();
    EXPECT_EQ(read->value, c.parts) << c.body;
    EXPECT_EQ(!read->tolerated.empty(), c.tolerated) << c.body;
  }
}

TEST(ReadParts, RefusesToGuess) {
  EXPECT_EQ(why(read_parts("legend", kParts)), "'legend' is no part");
  EXPECT_EQ(why(read_parts("caption or related", kParts)), "'caption or related' is no part");
  EXPECT_EQ(why(read_parts("none, caption", kParts)), "it says 'none' and names a part");
  EXPECT_FALSE(read_parts("the caption is wrong", kParts));
  EXPECT_FALSE(read_parts("caption\xff", kParts));
}

TEST(ReadParts, StaysLinearOnFloods) {
  for (std::string_view piece : {"caption,", ",", "a", " and ", "\n", "figure caption,", "none,", "\xff"}) {
    const std::string flood = repeated(piece, 1 << 20);
    EXPECT_LT(seconds([&] { (void)read_parts(flood, kParts); }), 2.0) << piece;
  }
}

}  // namespace
}  // namespace awry::parse
