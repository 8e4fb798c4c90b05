// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/parsed.h"

#include <cmath>

#include "awry/base/text.h"
#include "awry/parse/scan.h"
#include "awry/parse/support_test.h"

namespace awry::parse {
namespace {

TEST(SaysNothing, KnowsTheWaysOfModels) {
  for (std::string_view text : {"", "  \n", "none", "None.", "NULL", "0", "[]", "{}", "\"\"", "N/A", "-",
                                "**none**", "(none)", "`empty`", "not applicable", "<none>"}) {
    EXPECT_TRUE(says_nothing(text)) << text;
  }
  for (std::string_view text : {"1", "none of them", "nobody", "no idea", "00", "x", "--"}) {
    EXPECT_FALSE(says_nothing(text)) << text;
  }
  EXPECT_TRUE(says_nothing(std::string(60, ' ') + "none" + std::string(1 << 20, '\n')));
  EXPECT_FALSE(says_nothing(std::string(1 << 20, 'n')));
}

TEST(Unparsable, KeepsReasonsShortAndValid) {
  const std::string junk = repeated("\xff\n\x01 word", 1 << 20);
  const Error error = unparsable("box", junk, "'" + junk + "' is no number").value();
  EXPECT_EQ(error.kind, ErrorKind::kInvalid);
  EXPECT_EQ(error.what, "cannot read box");
  EXPECT_TRUE(is_valid_utf8(error.message()));
  EXPECT_LT(error.message().size(), 1000u);
  EXPECT_EQ(error.message().find('\n'), std::string::npos);
  // 26 replacement characters of three bytes fit into the 80 of an excerpt, 66 into the 200 of a reason.
  const std::string invalid(121, '\xff');
  const Error of_bytes = unparsable("parts", invalid, invalid).value();
  EXPECT_EQ(of_bytes.input, repeated("\uFFFD", 78) + "...");
  EXPECT_EQ(of_bytes.why, repeated("\uFFFD", 198) + "...");
  EXPECT_EQ(unparsable("box", " a\nb ", "it is odd").value().message(), "cannot read box 'a b': it is odd");
}

TEST(Tolerate, SaysEachThingOnce) {
  Parsed<int> parsed;
  parsed.tolerate("a");
  parsed.tolerate_all({"b", "a", "b"});
  EXPECT_EQ(complaint_of(parsed.tolerated), "a; b");
}

TEST(ScanNumber, ReadsOneNumberAndStopsBehindIt) {
  struct {
    std::string_view text;
    double value;
    std::size_t end;
    bool fraction;
  } const cases[] = {
      {"12", 12, 2, false},           {"-3,", -3, 2, false},   {"+4", 4, 2, false},
      {"2.50x", 2.5, 4, true},        {".5", 0.5, 2, true},    {"7.", 7, 1, false},
      {"1e3", 1000, 3, true},         {"1e", 1, 1, false},     {"1e+", 1, 1, false},
      {"-2E-1", -0.2, 5, true},       {"1.2.3", 1.2, 3, true}, {"1e999", HUGE_VAL, 5, true},
      {"-1e999", -HUGE_VAL, 6, true}, {"1e-999", 0, 6, true},  {"-1e-999", 0, 7, true},
  };
  for (const auto& c : cases) {
    const auto number = scan_number(c.text, 0);
    ASSERT_TRUE(number) << c.text;
    EXPECT_EQ(number->value, c.value) << c.text;
    EXPECT_EQ(number->end, c.end) << c.text;
    EXPECT_EQ(number->has_fraction, c.fraction) << c.text;
  }
  for (std::string_view text : {"", "-", "+.", ".", "e5", "nan", "inf", "--1", "\xff"}) {
    EXPECT_FALSE(scan_number(text, 0)) << text;
  }
}

TEST(FoldedWords, MeetsWhateverTheDashesAndQuotes) {
  EXPECT_EQ(folded_words("Copy-Move"), "copy move");
  EXPECT_EQ(folded_words(" \u201cCopy\u2011Move\u201d! "), "copy move");
  EXPECT_EQ(folded_words("copy_move"), "copy move");
  EXPECT_EQ(folded_words("\xff\xfe"), "\xff\xfe");
  EXPECT_EQ(folded_words("..."), "");
}

}  // namespace
}  // namespace awry::parse
