// SPDX-License-Identifier: Apache-2.0
#include "awry/score/sets.h"

#include <gtest/gtest.h>

#include <string>

namespace awry::score {
namespace {

MatchCounts letters(std::string predicted, std::string truth) {
  return compare_sets<char>(predicted, truth);
}

TEST(SetF1, IsTheHarmonicMeanOfPrecisionAndRecall) {
  const MatchCounts counts = letters("ACG", "AC");
  EXPECT_DOUBLE_EQ(precision(counts), 2.0 / 3);
  EXPECT_DOUBLE_EQ(recall(counts), 1.0);
  EXPECT_DOUBLE_EQ(set_f1(counts), 0.8);
}

TEST(SetF1, EmptySetsAgreeWithEachOtherOnly) {
  EXPECT_DOUBLE_EQ(set_f1(letters("", "")), 1.0);
  EXPECT_DOUBLE_EQ(set_f1(letters("", "A")), 0.0);
  EXPECT_DOUBLE_EQ(set_f1(letters("A", "")), 0.0);
  EXPECT_DOUBLE_EQ(precision(letters("", "A")), 0.0);
  EXPECT_DOUBLE_EQ(recall(letters("A", "")), 0.0);
}

TEST(ExactMatch, WantsEqualSets) {
  EXPECT_TRUE(exact_match(letters("ED", "DE")));
  EXPECT_TRUE(exact_match(letters("DDE", "DE")));
  EXPECT_FALSE(exact_match(letters("D", "DE")));
  EXPECT_FALSE(exact_match(letters("CDE", "DE")));
}

TEST(SubsetPartialCredit, PaysForCorrectSubsetsOnly) {
  EXPECT_DOUBLE_EQ(subset_partial_credit(letters("B", "BDE")), 1.0 / 3);
  EXPECT_DOUBLE_EQ(subset_partial_credit(letters("BE", "BDE")), 2.0 / 3);
  EXPECT_DOUBLE_EQ(subset_partial_credit(letters("BDE", "BDE")), 1.0);
  EXPECT_DOUBLE_EQ(subset_partial_credit(letters("BC", "BDE")), 0.0);  // C is wrong
  EXPECT_DOUBLE_EQ(subset_partial_credit(letters("", "BDE")), 0.0);
}

TEST(MacroF1, AveragesOverTheClassesThatWereMet) {
  const std::vector<std::string> truth = {"A", "A", "B", "C"};
  // A: 1 right of 1 predicted and 2 true = 2/3. B: 1 of 2 predicted, 1 true = 2/3. C: 0. D was chosen once.
  const std::vector<std::string> predicted = {"A", "B", "B", "D"};
  const auto classes = count_by_class(predicted, truth);
  ASSERT_EQ(classes.size(), 4u);
  EXPECT_DOUBLE_EQ(macro_f1(classes), (2.0 / 3 + 2.0 / 3 + 0 + 0) / 4);
  EXPECT_DOUBLE_EQ(micro_f1(classes), 0.5);
}

TEST(MacroF1, AnUnansweredItemIsMissedButNobodysFalsePositive) {
  const std::vector<std::string> truth = {"A", "B"}, predicted = {"A", ""};
  const auto classes = count_by_class(predicted, truth);
  ASSERT_EQ(classes.size(), 2u);
  EXPECT_DOUBLE_EQ(macro_f1(classes), 0.5);
  EXPECT_DOUBLE_EQ(micro_f1(classes), 2.0 / 3);
}

TEST(MacroF1, OfNothingIsZero) {
  EXPECT_EQ(macro_f1({}), 0);
  EXPECT_EQ(micro_f1({}), 0);
}

}  // namespace
}  // namespace awry::score
