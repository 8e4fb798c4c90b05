// SPDX-License-Identifier: Apache-2.0
#include "awry/score/generator_pairs.h"

#include <gtest/gtest.h>

namespace awry::score {
namespace {

PromptedAudit image(std::string prompt, double implausibility, std::size_t anomalies) {
  return {std::move(prompt), {.implausibility = implausibility, .anomalies = anomalies}};
}

TEST(CompareCaps, UsesOnlyPromptsThatBothPainted) {
  const std::vector<PromptedAudit> first = {image("A cat", 1, 2), image("a dog", 3, 4),
                                            image("a house", 50, 50)};
  const std::vector<PromptedAudit> second = {image("a CAT.", 2, 2), image("a dog", 4, 6),
                                             image("a boat", 9, 9)};
  const auto compared = compare_caps(first, second, {.resamples = 200});
  ASSERT_TRUE(compared);
  EXPECT_EQ(compared->samples, 2u);
  EXPECT_DOUBLE_EQ(compared->first, 2.0 * 3.0);   // means of 1, 3 and of 2, 4
  EXPECT_DOUBLE_EQ(compared->second, 3.0 * 4.0);  // means of 2, 4 and of 2, 6
  EXPECT_DOUBLE_EQ(compared->difference, 6.0);
}

TEST(CompareCaps, AveragesSeveralImagesOfAPrompt) {
  const std::vector<PromptedAudit> first = {image("x", 0, 0), image("x", 2, 2), image("y", 1, 1)};
  const std::vector<PromptedAudit> second = {image("x", 1, 1), image("y", 1, 1)};
  const auto compared = compare_caps(first, second, {.resamples = 200});
  ASSERT_TRUE(compared);
  EXPECT_DOUBLE_EQ(compared->difference, 0);
}

TEST(CompareCaps, RefusesGeneratorsWithoutCommonPrompts) {
  const std::vector<PromptedAudit> first = {image("x", 1, 1), image("", 1, 1)}, second = {image("z", 1, 1)};
  EXPECT_EQ(compare_caps(first, second).error().kind, ErrorKind::kNotFound);
}

TEST(CompareRankings, LooksAtGeneratorsThatBothAssessed) {
  const std::map<std::string, double> first = {{"a", 1}, {"b", 2}, {"c", 3}, {"only here", 9}};
  const std::map<std::string, double> second = {{"a", 10}, {"b", 30}, {"c", 20}};
  const auto agreement = compare_rankings(first, second);
  ASSERT_TRUE(agreement);
  EXPECT_EQ(agreement->items, 3u);
  EXPECT_DOUBLE_EQ(agreement->spearman, 0.5);
  EXPECT_NEAR(agreement->pairs_ordered_alike, 2.0 / 3, 1e-12);
}

}  // namespace
}  // namespace awry::score
