// SPDX-License-Identifier: Apache-2.0
#include "awry/score/similarity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace awry::score {
namespace {

using testing::ElementsAre;
using testing::FloatEq;
using testing::HasSubstr;

SimilarityMatrix lexical(std::vector<std::string_view> predictions, std::vector<std::string_view> truths) {
  LexicalSimilarity similarity;
  const TextBlock block{.id = "block", .predictions = std::move(predictions), .truths = std::move(truths)};
  return similarity.compare({&block, 1}).value().front();
}

TEST(LexicalSimilarity, IsTheF1OfSharedWords) {
  // {six, fingers} against {six, fingers, on, one, hand}: 2 * 2 / (2 + 5); nothing shared: 0.
  const SimilarityMatrix matrix =
      lexical({"Six fingers!", "a floating chair"}, {"six fingers on one hand", "the CHAIR is floating"});
  EXPECT_EQ(matrix.predictions, 2U);
  EXPECT_EQ(matrix.truths, 2U);
  EXPECT_THAT(matrix.cells, ElementsAre(FloatEq(4.0F / 7), 0, 0, FloatEq(4.0F / 7)));
}

TEST(LexicalSimilarity, CountsARepeatedWordAsOftenAsBothHaveIt) {
  EXPECT_THAT(lexical({"red red red"}, {"red red car"}).cells, ElementsAre(FloatEq(4.0F / 6)));
}

TEST(LexicalSimilarity, GivesEmptyTextsNothing) {
  EXPECT_THAT(lexical({"", "..."}, {"", "a"}).cells, ElementsAre(0, 0, 0, 0));
}

TEST(LexicalSimilarity, IsSymmetricAndOneForEqualTexts) {
  const SimilarityMatrix there = lexical({"a b c", "Straße nach München"}, {"c d", "STRASSE nach münchen"});
  const SimilarityMatrix back = lexical({"c d", "STRASSE nach münchen"}, {"a b c", "Straße nach München"});
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) EXPECT_EQ(there.at(i, j), back.at(j, i));
  }
  EXPECT_EQ(lexical({"the left hand"}, {"The left hand."}).at(0, 0), 1.0F);
}

TEST(LexicalSimilarity, KeepsTheShapeOfBlocksWithAnEmptySide) {
  EXPECT_EQ(lexical({}, {"a", "b"}), (SimilarityMatrix{.predictions = 0, .truths = 2}));
  EXPECT_EQ(lexical({"a"}, {}), (SimilarityMatrix{.predictions = 1, .truths = 0}));
}

std::string refusal(SimilarityMatrix matrix) {
  PrecomputedSimilarity similarity({{"a.png/phenomenon", std::move(matrix)}}, {});
  const TextBlock block{.id = "a.png/phenomenon", .predictions = {"p"}, .truths = {"s", "t"}};
  const auto compared = similarity.compare({&block, 1});
  return compared ? "it was accepted" : compared.error().message();
}

TEST(PrecomputedSimilarity, ReturnsMatricesByIdAndClipsThem) {
  PrecomputedSimilarity similarity({{"x", {1, 2, {-0.2F, 1.0000001F}}}, {"y", {1, 1, {0.5F}}}},
                                   {{"similarity", "matrix"}});
  const std::vector<TextBlock> blocks = {{.id = "y", .predictions = {"p"}, .truths = {"t"}},
                                         {.id = "x", .predictions = {"p"}, .truths = {"s", "t"}}};
  const auto matrices = similarity.compare(blocks).value();
  EXPECT_THAT(matrices[0].cells, ElementsAre(0.5F));
  EXPECT_THAT(matrices[1].cells, ElementsAre(0.0F, 1.0F));
}

TEST(PrecomputedSimilarity, RefusesWhatDoesNotFit) {
  EXPECT_THAT(refusal({2, 1, {0, 0}}), HasSubstr("1 predictions and 2 truths"));
  EXPECT_THAT(refusal({1, 2, {0}}), HasSubstr("1 cells"));
  EXPECT_THAT(refusal({1, 2, {0, std::numeric_limits<float>::quiet_NaN()}}),
              HasSubstr("prediction 1 and truth 2 is nan"));
  EXPECT_THAT(refusal({1, 2, {std::numeric_limits<float>::infinity(), 0}}), HasSubstr("is inf"));
  PrecomputedSimilarity none({}, {});
  const TextBlock block{.id = "b.png/reasoning", .predictions = {"p"}, .truths = {"t"}};
  EXPECT_THAT(none.compare({&block, 1}).error().message(), HasSubstr("b.png/reasoning"));
}

class TooFew final : public Similarity {
  Fields signature() const override { return {}; }
  Result<std::vector<SimilarityMatrix>> compute(std::span<const TextBlock>) override { return {}; }
};

TEST(MakeSimilarity, KnowsLexicalAndWhatIsOffered) {
  EXPECT_TRUE(make_similarity("lexical"));
  EXPECT_FALSE(make_similarity("lexical:fast"));
  EXPECT_THAT(make_similarity("bart").error().message(), HasSubstr("lexical"));

  offer_similarity("too_few", [](std::string_view argument) -> Result<std::unique_ptr<Similarity>> {
    EXPECT_EQ(argument, "some:thing");
    return std::make_unique<TooFew>();
  });
  const auto made = make_similarity("too_few:some:thing");
  ASSERT_TRUE(made);
  const TextBlock block{.id = "x", .predictions = {"p"}, .truths = {"t"}};
  EXPECT_THAT((*made)->compare({&block, 1}).error().message(), HasSubstr("0 matrices came for 1 blocks"));
}

}  // namespace
}  // namespace awry::score
