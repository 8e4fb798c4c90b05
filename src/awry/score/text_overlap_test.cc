// SPDX-License-Identifier: Apache-2.0
#include "awry/score/text_overlap.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace awry::score {
namespace {

TEST(TextF1, CountsWordsAsAMultiset) {
  // the, rate, rate against the, rate: two words shared, five in all.
  EXPECT_DOUBLE_EQ(text_f1("the rate rate", "The rate"), 4.0 / 5);
  EXPECT_DOUBLE_EQ(text_f1("a b c d", "d c b a"), 1.0);
}

TEST(TextF1, IgnoresCaseAndPunctuation) {
  EXPECT_DOUBLE_EQ(text_f1("It FELL, twice.", "it fell twice"), 1.0);
}

TEST(TextF1, EmptyTextsAgreeWithEachOtherOnly) {
  EXPECT_DOUBLE_EQ(text_f1("", " .,; "), 1.0);
  EXPECT_DOUBLE_EQ(text_f1("", "word"), 0.0);
}

TEST(TextF1, HowSentencesWereSplitDoesNotMatter) {
  const std::vector<std::string> together = {"it rose by 20% and then fell"},
                                 apart = {"and then fell", "it rose by 20%"};
  EXPECT_DOUBLE_EQ(text_f1(together, apart), 1.0);
}

TEST(TextF1, ReadsLettersBeyondAscii) {
  EXPECT_DOUBLE_EQ(text_f1("Größe über µm", "GRÖSSE ÜBER µm"), 1.0);
  EXPECT_DOUBLE_EQ(text_f1("\xff\xfe", "word"), 0.0);
}

}  // namespace
}  // namespace awry::score
