// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/severity.h"

#include "awry/parse/support_test.h"

namespace awry::parse {
namespace {

TEST(ReadSeverity, ReadsWhatModelsWrite) {
  struct {
    std::string_view text;
    double severity;
  } const cases[] = {
      {"25", 25},
      {" 20. ", 20},
      {"5/100 (highly unrealistic)", 5},
      {"10/100 (extremely unnatural)", 10},
      {"25/100 (noticeable)", 25},
      {"**15**", 15},
      {"[30]", 30},
      {"(30)", 30},
      {"Severity: 40 out of 100", 40},
      {"40 of 100", 40},
      {"Severity Score (0-100): 35", 35},
      {"on a scale from 0 to 100: 35", 35},
      {"35 (0 = impossible, 100 = fully realistic)", 35},
      {"35 \u2013 clearly wrong", 35},
      {"on a scale of 100: 35", 35},
      {"35, yes 35", 35},
      {"30%", 30},
      {"0.5%", 0.5},
      {"12.5", 12.5},
      {"1.5", 1.5},
      {"0", 0},
      {"100", 100},
      {"1", 1},
      {"0.0", 0},
      {"0.25/1", 25},
      {"3/10", 30},
      {"4/5", 80},
      {"1e1", 10},
      {"+7", 7},
      {"Severity-5", 5},
      {"25 to be precise, out of 100", 25},
      {"25/100 and not \xff", 25},
  };
  for (const auto& c : cases) {
    const auto read = read_severity(c.text);
    ASSERT_TRUE(read) << c.text << ": " << read.error().message();
    EXPECT_DOUBLE_EQ(read->value, c.severity) << c.text;
  }
  EXPECT_TRUE(mentions(read_severity("3/10")->tolerated, "out of 10 instead of 100"));
  EXPECT_TRUE(read_severity("25/100 (noticeable)")->tolerated.empty());
}

TEST(ReadSeverity, RefusesToGuess) {
  struct {
    std::string_view text, why;
  } const cases[] = {
      {"", "it holds no number"},
      {"high", "it holds no number"},
      {"twenty", "it holds no number"},
      {"nan", "it holds no number"},
      {"inf/100", "a denominator stands without a number"},
      {"N.N./100", "a denominator stands without a number"},
      {"twenty out of 100", "it holds no number"},
      {"20-30", "it is a range"},
      {"20 \u2013 30", "it is a range"},
      {"20 to 30", "it is a range"},
      {"20-30/100", "it is a range"},
      {"20 or 30", "it holds several numbers"},
      {"2,5", "it holds several numbers"},
      {"20/100/100", "a denominator stands without a number"},
      {"35, that is 35/100", "it holds several numbers"},
      {"101", "it is outside 0..100"},
      {"-5", "it is outside 0..100"},
      {"1e999", "it is outside 0..100"},
      {"150/100", "it is outside 0..100"},
      {"7/5", "it is outside 0..100"},
      {"0.25", "a fraction up to 1 without a denominator: out of 1 or out of 100?"},
      {"1.0", "a fraction up to 1 without a denominator: out of 1 or out of 100?"},
      {"5/0", "its denominator is not a positive number"},
      {"5/-100", "its denominator is not a positive number"},
      {"5/1e999", "its denominator is not a positive number"},
  };
  for (const auto& c : cases) EXPECT_EQ(why(read_severity(c.text)), c.why) << c.text;
}

TEST(ReadRating, ReadsWholeNumbersOnTheScale) {
  struct {
    std::string_view text;
    int rating;
  } const cases[] = {
      {"4", 4},
      {"4/5", 4},
      {"4 out of 5", 4},
      {"Score: 4 (High concern)", 4},
      {"5 (Requires Immediate Action)", 5},
      {"[4]", 4},
      {"{\"severity\": 2}", 2},
      {"{\"surprisal\": \"3 (Average)\"}", 3},
      {"4.0", 4},
      {"4.", 4},
      {"On a scale from 1 to 5 I say 2.", 2},
      {"(1-5): 3", 3},
      {"**1**", 1},
  };
  for (const auto& c : cases) {
    const auto read = read_rating(c.text);
    ASSERT_TRUE(read) << c.text << ": " << read.error().message();
    EXPECT_EQ(read->value, c.rating) << c.text;
  }
  EXPECT_EQ(read_rating("0", {.low = 0, .high = 10})->value, 0);
}

TEST(ReadRating, RefusesToGuess) {
  struct {
    std::string_view text, why;
  } const cases[] = {
      {"", "it holds no number"},         {"four", "it holds no number"},
      {"0", "it is outside 1..5"},        {"6", "it is outside 1..5"},
      {"-3", "it is outside 1..5"},       {"3.5", "it is not a whole number"},
      {"3-4", "it is a range"},           {"3 or 4", "it holds several numbers"},
      {"4/10", "it is out of 10, not 5"}, {"80%", "it is a percentage"},
      {"4%", "it is a percentage"},       {"1e999", "it is outside 1..5"},
  };
  for (const auto& c : cases) EXPECT_EQ(why(read_rating(c.text)), c.why) << c.text;
}

TEST(ReadSeverity, StaysLinearOnFloods) {
  for (std::string_view piece :
       {"1", "1 ", "1/", "1-", "1 to ", "(", "()", "-", ".", "1e", "of ", "\xe2\x80\x93", " "}) {
    const std::string flood = repeated(piece, 1 << 20);
    EXPECT_LT(seconds([&] { (void)read_severity(flood); }), 2.0) << piece;
    EXPECT_LT(seconds([&] { (void)read_rating(flood); }), 2.0) << piece;
  }
}

}  // namespace
}  // namespace awry::parse
