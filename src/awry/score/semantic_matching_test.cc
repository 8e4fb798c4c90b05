// SPDX-License-Identifier: Apache-2.0
#include "awry/score/semantic_matching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/random.h"

namespace awry::score {
namespace {

using testing::ElementsAre;
using Matched = std::vector<std::optional<std::size_t>>;

const std::vector<double> kThresholds = {0.7, 0.8, 0.9};

SimilarityMatrix matrix(std::size_t predictions, std::size_t truths, std::vector<float> cells) {
  return {.predictions = predictions, .truths = truths, .cells = std::move(cells)};
}

std::vector<SemanticScore> ranked(const SimilarityMatrix& similarity, std::vector<std::size_t> order) {
  return score_at_thresholds(SemanticVariant::kRanked,
                             {.similarity = similarity, .full = similarity, .order = order}, kThresholds);
}

std::vector<SemanticScore> released(const SimilarityMatrix& similarity) {
  return score_at_thresholds(SemanticVariant::kReleased,
                             {.similarity = similarity, .full = similarity, .order = {}}, kThresholds);
}

// Three predictions, two truths. As listed, row 0 misses everywhere, row 1 takes truth 0, row 2 truth 1.
const SimilarityMatrix kThreeByTwo = matrix(3, 2,
                                            {0.60F, 0.65F,  //
                                             0.95F, 0.75F,  //
                                             0.85F, 0.82F});

TEST(ScoreRanked, EqualsAHandWorkedExample) {
  const auto scores = ranked(kThreeByTwo, {0, 1, 2});
  // 0.7: miss, hit, hit: AP = (1/2 + 2/3) / 2; F1 = 2*2/5. 0.8: the same. 0.9: only row 1: AP = 1/2 / 2.
  EXPECT_DOUBLE_EQ(scores[0].ap, (1.0 / 2 + 2.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(scores[0].f1, 4.0 / 5);
  EXPECT_EQ(scores[1], scores[0]);
  EXPECT_DOUBLE_EQ(scores[2].ap, 1.0 / 4);
  EXPECT_DOUBLE_EQ(scores[2].f1, 2.0 / 5);
  EXPECT_DOUBLE_EQ(mean_score(scores).ap, (7.0 / 12 + 7.0 / 12 + 1.0 / 4) / 3);
}

TEST(ScoreRanked, RewardsHitsThatComeFirst) {
  const auto scores = ranked(kThreeByTwo, {1, 2, 0});
  EXPECT_DOUBLE_EQ(scores[0].ap, 1.0);  // both truths found before the miss
  EXPECT_DOUBLE_EQ(scores[0].f1, 4.0 / 5);
}

TEST(ScoreRanked, TheMoreConfidentPredictionTakesTheTruth) {
  // Row 2 first takes truth 0 (0.85), which leaves row 1 truth 1 (0.75): a hit at 0.7, none at 0.8.
  const auto scores = ranked(kThreeByTwo, {2, 1, 0});
  EXPECT_DOUBLE_EQ(scores[0].ap, 1.0);
  EXPECT_DOUBLE_EQ(scores[1].ap, 0.5);
  // At 0.9 row 2 takes nothing, so row 1 finds truth 0 free: paired anew at every threshold.
  EXPECT_DOUBLE_EQ(scores[2].ap, 0.25);
}

TEST(ScoreRanked, EqualTruthsAreToldApartByTheFullSimilarityThenByIndex) {
  const SimilarityMatrix view = matrix(2, 2, {0.8F, 0.8F, 0.8F, 0.0F});
  const std::vector<std::size_t> order = {0, 1};
  // Full prefers truth 1 for row 0, which leaves truth 0 to row 1.
  EXPECT_DOUBLE_EQ(score_ranked(view, matrix(2, 2, {0.1F, 0.2F, 0, 0}), order, 0.7).f1, 1.0);
  // Equal in Full as well: row 0 takes truth 0, and row 1 goes without.
  EXPECT_DOUBLE_EQ(score_ranked(view, matrix(2, 2, {0.2F, 0.2F, 0, 0}), order, 0.7).f1, 0.5);
}

TEST(ScoreRanked, ASimilarityEqualToTheThresholdCounts) {
  EXPECT_DOUBLE_EQ(ranked(matrix(1, 1, {0.7F}), {0})[0].f1, 1.0);
  EXPECT_DOUBLE_EQ(released(matrix(1, 1, {0.9F}))[2].f1, 1.0);
}

TEST(EmptyImages, AreRightInRankedAndWorthlessInReleased) {
  EXPECT_THAT(ranked(matrix(0, 0, {}), {})[0], (SemanticScore{1, 1}));
  EXPECT_THAT(ranked(matrix(0, 2, {}), {})[0], (SemanticScore{0, 0}));
  EXPECT_THAT(ranked(matrix(2, 0, {}), {0, 1})[0], (SemanticScore{0, 0}));
  EXPECT_THAT(released(matrix(0, 0, {}))[0], (SemanticScore{0, 0}));
  EXPECT_THAT(released(matrix(0, 2, {}))[0], (SemanticScore{0, 0}));
  EXPECT_THAT(released(matrix(2, 0, {}))[0], (SemanticScore{0, 0}));
}

TEST(ScoreReleased, EqualsAHandWorkedExample) {
  // Largest first: (1,0) 0.95, then (2,1) 0.82; row 0 is left. Hits 2, 2, 1 of 3 predictions and 2 truths.
  EXPECT_EQ(match_most_similar_first(kThreeByTwo), (Matched{std::nullopt, 0, 1}));
  const auto scores = released(kThreeByTwo);
  EXPECT_DOUBLE_EQ(scores[0].ap, 2.0 / 3);
  EXPECT_DOUBLE_EQ(scores[0].f1, 4.0 / 5);
  EXPECT_DOUBLE_EQ(scores[1].ap, 2.0 / 3);
  EXPECT_DOUBLE_EQ(scores[2].ap, 1.0 / 3);
  EXPECT_DOUBLE_EQ(scores[2].f1, 2.0 / 5);
  EXPECT_DOUBLE_EQ(mean_score(scores).ap, 5.0 / 9);
}

TEST(ScoreReleased, IsPrecisionSoThatAFewSurePredictionsWin) {
  // One right prediction of six truths: SemAP 1 but SemF1 2/7, where `ranked` gives AP 1/6.
  const SimilarityMatrix similarity = matrix(1, 6, {0, 0, 0.95F, 0, 0, 0});
  EXPECT_DOUBLE_EQ(mean_score(released(similarity)).ap, 1.0);
  EXPECT_DOUBLE_EQ(mean_score(released(similarity)).f1, 2.0 / 7);
  EXPECT_DOUBLE_EQ(mean_score(ranked(similarity, {0})).ap, 1.0 / 6);
}

TEST(ScoreReleased, PairsBeforeItThresholds) {
  // (0,0) is taken at 0.75, so at 0.7 row 1 has nothing left, although it could have had truth 0.
  const SimilarityMatrix similarity = matrix(2, 2, {0.75F, 0.72F, 0.71F, 0.1F});
  EXPECT_EQ(match_most_similar_first(similarity), (Matched{0, 1}));
  EXPECT_DOUBLE_EQ(released(similarity)[0].ap, 0.5);
}

TEST(MatchMostSimilarFirst, BreaksTiesRowByRowAndStopsAtZero) {
  EXPECT_EQ(match_most_similar_first(matrix(2, 2, {0.5F, 0.5F, 0.5F, 0.5F})), (Matched{0, 1}));
  EXPECT_EQ(match_most_similar_first(matrix(2, 2, {0, 0, 0.5F, 0})), (Matched{std::nullopt, 0}));
}

// The rule as written down: search the whole matrix for every pair.
Matched match_by_search(const SimilarityMatrix& similarity) {
  Matched matched(similarity.predictions);
  std::vector<bool> taken(similarity.truths);
  for (;;) {
    float best = 0;
    std::size_t row = 0, column = 0;
    for (std::size_t p = 0; p < similarity.predictions; ++p) {
      for (std::size_t t = 0; t < similarity.truths; ++t) {
        if (!matched[p] && !taken[t] && similarity.at(p, t) > best) {
          best = similarity.at(p, t), row = p, column = t;
        }
      }
    }
    if (best <= 0) return matched;
    matched[row] = column;
    taken[column] = true;
  }
}

TEST(MatchMostSimilarFirst, EqualsRepeatedSearchOnTiedNoise) {
  RandomStream random(11);
  for (int round = 0; round < 300; ++round) {
    SimilarityMatrix similarity = matrix(random.below(9), random.below(9), {});
    for (std::size_t i = 0; i < similarity.predictions * similarity.truths; ++i) {
      similarity.cells.push_back(static_cast<float>(random.integer(0, 6)) / 6);
    }
    EXPECT_EQ(match_most_similar_first(similarity), match_by_search(similarity));
  }
}

TEST(SemanticScores, StayWithinBoundsAndFallWithTheThreshold) {
  RandomStream random(12);
  for (int round = 0; round < 200; ++round) {
    SimilarityMatrix similarity = matrix(1 + random.below(8), 1 + random.below(8), {});
    for (std::size_t i = 0; i < similarity.predictions * similarity.truths; ++i) {
      similarity.cells.push_back(static_cast<float>(random.uniform(0.5, 1)));
    }
    for (const auto& scores :
         {ranked(similarity, rank_as_listed(similarity.predictions)), released(similarity)}) {
      for (const SemanticScore& score : scores) {
        EXPECT_GE(score.ap, 0);
        EXPECT_LE(score.ap, 1);
        EXPECT_GE(score.f1, 0);
        EXPECT_LE(score.f1, 1);
      }
    }
    const auto scores = released(similarity);
    EXPECT_GE(scores[0].ap, scores[1].ap);
    EXPECT_GE(scores[1].f1, scores[2].f1);
  }
}

TEST(RankByImplausibility, PutsTheLeastRealisticFirstAndTheUnratedLast) {
  const std::vector<std::optional<double>> severities = {40, std::nullopt, 0, 40, 100};
  EXPECT_THAT(rank_by_implausibility(severities), ElementsAre(2, 0, 3, 4, 1));
  EXPECT_TRUE(rank_by_implausibility({}).empty());
}

TEST(Blend, WeighsBothFields) {
  const SimilarityMatrix phenomenon = matrix(1, 2, {0.8F, 1.0F}), reasoning = matrix(1, 2, {0.4F, 1.0F});
  EXPECT_EQ(blend(phenomenon, reasoning, 1).value(), phenomenon);
  EXPECT_EQ(blend(phenomenon, reasoning, 0).value(), reasoning);
  EXPECT_FLOAT_EQ(blend(phenomenon, reasoning, 0.5F).value().at(0, 0), 0.6F);
  EXPECT_EQ(blend(phenomenon, reasoning, 0.5F).value().at(0, 1), 1.0F);
  EXPECT_FALSE(blend(phenomenon, matrix(2, 1, {0, 0}), 0.5F));
}

TEST(IfVerdictRight, GivesNothingForTheRightWordsBesideTheWrongVerdict) {
  EXPECT_EQ(if_verdict_right({0.4, 0.6}, true), (SemanticScore{0.4, 0.6}));
  EXPECT_EQ(if_verdict_right({0.4, 0.6}, false), (SemanticScore{0, 0}));
}

}  // namespace
}  // namespace awry::score
