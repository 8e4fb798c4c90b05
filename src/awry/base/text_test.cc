// SPDX-License-Identifier: Apache-2.0
#include "awry/base/text.h"

#include <gmock/gmock.h>

namespace awry {
namespace {

using testing::ElementsAre;

TEST(Trim, TakesAwayWhiteSpaceAtBothEndsOnly) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(""), "");
  EXPECT_EQ(trim(" \n"), "");
}

TEST(SplitLines, AcceptsBothLineEndingsAndNoFinalNewline) {
  EXPECT_THAT(split_lines("a\r\nb\n\nc"), ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(split_lines(""), ElementsAre());
}

TEST(ReplaceAll, DoesNotLookAtWhatItPutIn) {
  EXPECT_EQ(replace_all("aaa", "a", "aa"), "aaaaaa");
  EXPECT_EQ(replace_all("abc", "", "x"), "abc");
}

TEST(ParseDouble, WantsTheWholeText) {
  EXPECT_EQ(parse_double("0.25"), 0.25);
  EXPECT_EQ(parse_double("+3"), 3.0);
  EXPECT_EQ(parse_double("-1e3"), -1000.0);
  for (const char* bad : {"", " 1", "1 ", "1,5", "0x", "one", "1.2.3"})
    EXPECT_FALSE(parse_double(bad)) << bad;
}

TEST(ParseInteger, RefusesFractionsAndOverflow) {
  EXPECT_EQ(parse_integer("-7"), -7);
  EXPECT_FALSE(parse_integer("7.0"));
  EXPECT_FALSE(parse_integer("99999999999999999999"));
}

TEST(Utf8, KnowsWhatIsInvalid) {
  EXPECT_TRUE(is_valid_utf8("Zürich 東京 🙂"));
  EXPECT_FALSE(is_valid_utf8("\xC3"));              // cut in the middle
  EXPECT_FALSE(is_valid_utf8("\xC0\xAF"));          // overlong
  EXPECT_FALSE(is_valid_utf8("\xED\xA0\x80"));      // surrogate
  EXPECT_FALSE(is_valid_utf8("\xF4\x90\x80\x80"));  // beyond the last code point
}

TEST(Utf8, RepairKeepsWhatIsValid) {
  EXPECT_EQ(repair_utf8("a\xFF"
                        "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(repair_utf8("é"), "é");
}

TEST(Utf8, DecodingAndEncodingAreInverse) {
  const std::string text = "aé東🙂";
  EXPECT_THAT(decode_utf8(text), ElementsAre(U'a', U'é', U'東', U'🙂'));
  EXPECT_EQ(encode_utf8(decode_utf8(text)), text);
}

TEST(Casefold, GoesBeyondAscii) {
  EXPECT_EQ(casefold("STRASSE"), casefold("straße"));
  EXPECT_EQ(casefold("ÀÉ"), "àé");
  EXPECT_EQ(casefold("e\xCC\x81"), casefold("É")) << "composed and decomposed accents are one";
}

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("é"), 1);
  EXPECT_EQ(display_width("東京"), 4);
}

TEST(Shorten, NeverExceedsTheColumnsAskedFor) {
  EXPECT_EQ(shorten("short", 10), "short");
  EXPECT_EQ(shorten("a long sentence", 7), "a long…");
  EXPECT_LE(display_width(shorten("東京東京東京", 6)), 6);
  EXPECT_EQ(shorten("abc", 0), "");
}

TEST(WordTokens, AreFoldedRunsOfLettersAndDigits) {
  EXPECT_THAT(word_tokens("P < 0.05, n=3 (Élan)"), ElementsAre("p", "0", "05", "n", "3", "élan"));
  EXPECT_THAT(word_tokens("  -- "), ElementsAre());
}

TEST(EditDistance, CountsATranspositionAsOne) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("--sede", "--seed"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
}

TEST(DidYouMean, SuggestsOnlyWhatIsNear) {
  const std::vector<std::string> commands = {"inspect", "score", "forge"};
  EXPECT_EQ(did_you_mean("insepct", commands), "inspect");
  EXPECT_EQ(did_you_mean("SCORES", commands), "score");
  EXPECT_EQ(did_you_mean("banana", commands), std::nullopt);
  EXPECT_EQ(did_you_mean("x", {}), std::nullopt);
}

TEST(HumanNumbers, AreReadable) {
  EXPECT_EQ(with_thousands(0), "0");
  EXPECT_EQ(with_thousands(1234567), "1,234,567");
  EXPECT_EQ(with_thousands(-1000), "-1,000");
  EXPECT_EQ(human_bytes(1023), "1023 B");
  EXPECT_EQ(human_bytes(1536), "1.5 KiB");
  EXPECT_EQ(human_bytes((1ULL << 20) - 1), "1.0 MiB") << "never 1024.0 KiB";
}

TEST(EscapeHtml, LeavesNothingThatOpensATagOrAttribute) {
  EXPECT_EQ(escape_html("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
}

}  // namespace
}  // namespace awry
