// SPDX-License-Identifier: Apache-2.0
#include "awry/score/agreement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "awry/base/random.h"

namespace awry::score {
namespace {

constexpr double kNone = kNotRated;

// Krippendorff's example of 4 observers and 12 units, which Gwet uses too.
Ratings four_observers() {
  return {.raters = 4, .values = {1, 1, kNone, 1, 2, 2, 3,     2,     3, 3, 3,     3,     3, 3,    3, 3, 2,
                                  2, 2, 2,     1, 2, 3, 4,     4,     4, 4, 4,     1,     1, 2,    1, 2, 2,
                                  2, 2, kNone, 5, 5, 5, kNone, kNone, 1, 1, kNone, kNone, 3, kNone}};
}

// Two abstractors, 100 pregnancies (Gwet): rows are the first's choice, columns the second's.
Ratings two_abstractors() {
  const int table[3][3] = {{13, 0, 0}, {0, 20, 7}, {0, 4, 56}};
  Ratings ratings{.raters = 2};
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      for (int i = 0; i < table[a][b]; ++i) ratings.values.insert(ratings.values.end(), {a + 1.0, b + 1.0});
    }
  }
  return ratings;
}

TEST(KrippendorffAlpha, EqualsThePublishedExample) {
  EXPECT_NEAR(krippendorff_alpha(four_observers(), Measurement::kNominal)->value, 0.743, 5e-4);
  EXPECT_NEAR(krippendorff_alpha(four_observers(), Measurement::kOrdinal)->value, 0.815, 5e-4);
  EXPECT_NEAR(krippendorff_alpha(four_observers(), Measurement::kInterval)->value, 0.849, 5e-4);
  EXPECT_NEAR(krippendorff_alpha(two_abstractors(), Measurement::kNominal)->value, 0.7972585, 5e-8);
}

TEST(KrippendorffAlpha, CountsOnlyUnitsRatedTwice) {
  const auto alpha = krippendorff_alpha(four_observers(), Measurement::kNominal);
  EXPECT_EQ(alpha->units, 11U);
  EXPECT_EQ(alpha->ratings, 40U);
}

TEST(GwetAc, EqualsThePublishedExamples) {
  const auto four = gwet_ac(four_observers());
  EXPECT_NEAR(four->observed, 0.8181818, 5e-8);
  EXPECT_NEAR(four->expected, 0.1903212, 5e-8);
  EXPECT_NEAR(four->value, 0.77544, 5e-6);
  EXPECT_NEAR(gwet_ac(two_abstractors())->value, 0.8493305, 5e-8);
}

TEST(GwetAc, EqualsAHandWorkedQuadraticCase) {
  // All 11 disagreements are between neighbours, worth 3/4; the weights sum to 6; shares .13, .255, .615.
  const auto agreement = gwet_ac(two_abstractors(), {.weights = AgreementWeights::kQuadratic});
  EXPECT_NEAR(agreement->observed, 0.9725, 1e-12);
  EXPECT_NEAR(agreement->expected, 0.53985, 1e-12);
  EXPECT_NEAR(agreement->value, 0.43265 / 0.46015, 1e-12);
}

TEST(CohenKappa, EqualsPublishedAndHandWorkedExamples) {
  EXPECT_NEAR(cohen_kappa(two_abstractors())->value, 0.7964094, 5e-8);
  // Quadratic: observed .9725, expected .4597 + .75 * .3804 = .745.
  const auto weighted = cohen_kappa(two_abstractors(), {.weights = AgreementWeights::kQuadratic});
  EXPECT_NEAR(weighted->expected, 0.745, 1e-12);
  EXPECT_NEAR(weighted->value, 0.2275 / 0.255, 1e-12);
  // 50 proposals, both yes 20, both no 15, apart 5 and 10: (.7 - .5) / (1 - .5).
  Ratings proposals{.raters = 2};
  const auto add = [&](int times, double a, double b) {
    for (int i = 0; i < times; ++i) proposals.values.insert(proposals.values.end(), {a, b});
  };
  add(20, 1, 1), add(5, 1, 0), add(10, 0, 1), add(15, 0, 0);
  EXPECT_NEAR(cohen_kappa(proposals)->value, 0.4, 1e-12);
}

TEST(FleissKappa, EqualsPublishedExamples) {
  const auto four = fleiss_kappa(four_observers());
  EXPECT_NEAR(four->expected, 0.2387153, 5e-8);
  EXPECT_NEAR(four->value, 0.76117, 5e-6);
  // Fourteen raters, ten subjects, five categories: 0.210.
  const int counts[10][5] = {{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0},
                             {2, 2, 8, 1, 1},  {7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2},
                             {6, 5, 2, 1, 0},  {0, 2, 2, 3, 7}};
  Ratings ratings{.raters = 14};
  for (const auto& subject : counts) {
    for (int category = 0; category < 5; ++category) {
      ratings.values.insert(ratings.values.end(), subject[category], category + 1.0);
    }
  }
  EXPECT_NEAR(fleiss_kappa(ratings)->value, 0.210, 5e-4);
}

TEST(PercentAgreement, WeighsDisagreements) {
  EXPECT_NEAR(percent_agreement(two_abstractors())->value, 0.89, 1e-12);
  EXPECT_NEAR(percent_agreement(two_abstractors(), {.weights = AgreementWeights::kLinear})->value, 0.945,
              1e-12);
  // Ordinal weight of neighbours among three categories: 1 - C(2,2)/C(3,2) = 2/3.
  EXPECT_NEAR(percent_agreement(two_abstractors(), {.weights = AgreementWeights::kOrdinal})->value,
              0.89 + 0.11 * 2 / 3, 1e-12);
}

TEST(GwetAc, DependsOnTheScaleThatWasOffered) {
  const Ratings ratings{.raters = 2, .values = {1, 1, 2, 2, 1, 2}};
  const double seen = gwet_ac(ratings)->value;
  const double offered = gwet_ac(ratings, {.categories = {1, 2, 3, 4, 5}})->value;
  EXPECT_GT(offered, seen) << "chance agreement is rarer with more categories";
}

// Disagreement over all pairs, straight from the definition with a coincidence matrix.
double alpha_by_coincidences(const Ratings& ratings, Measurement measurement) {
  std::map<std::pair<double, double>, double> coincidences;
  std::map<double, double> totals;
  for (std::size_t u = 0; u < ratings.units(); ++u) {
    std::vector<double> unit;
    for (std::size_t r = 0; r < ratings.raters; ++r) {
      const double value = ratings.values[u * ratings.raters + r];
      if (!std::isnan(value)) unit.push_back(value);
    }
    if (unit.size() < 2) continue;
    for (std::size_t i = 0; i < unit.size(); ++i) {
      totals[unit[i]] += 1;
      for (std::size_t j = 0; j < unit.size(); ++j) {
        if (i != j) coincidences[{unit[i], unit[j]}] += 1.0 / static_cast<double>(unit.size() - 1);
      }
    }
  }
  const auto distance = [&](double a, double b) {
    if (measurement == Measurement::kNominal) return a == b ? 0.0 : 1.0;
    if (measurement == Measurement::kInterval) return (a - b) * (a - b);
    double between = -(totals.at(a) + totals.at(b)) / 2;
    for (const auto& [value, total] : totals) {
      if (value >= std::min(a, b) && value <= std::max(a, b)) between += total;
    }
    return between * between;
  };
  double all = 0, observed = 0, expected = 0;
  for (const auto& [value, total] : totals) all += total;
  for (const auto& [pair, count] : coincidences) observed += count * distance(pair.first, pair.second);
  for (const auto& [a, count_a] : totals) {
    for (const auto& [b, count_b] : totals) expected += count_a * count_b * distance(a, b);
  }
  return 1 - (all - 1) * observed / expected;
}

TEST(KrippendorffAlpha, EqualsTheCoincidenceMatrixOnNoise) {
  RandomStream random(9);
  for (int round = 0; round < 60; ++round) {
    Ratings ratings{.raters = static_cast<std::size_t>(random.integer(2, 6))};
    for (std::size_t i = 0; i < ratings.raters * 25; ++i) {
      ratings.values.push_back(random.chance(0.2) ? kNone : random.integer(-3, 3) * 1.5);
    }
    for (const auto level : {Measurement::kNominal, Measurement::kOrdinal, Measurement::kInterval}) {
      EXPECT_NEAR(krippendorff_alpha(ratings, level)->value, alpha_by_coincidences(ratings, level), 1e-11);
    }
  }
}

TEST(KrippendorffAlpha, IntervalIgnoresShiftAndScale) {
  Ratings moved = four_observers();
  for (double& value : moved.values) value = 1e7 + value * 0.25;
  EXPECT_NEAR(krippendorff_alpha(moved, Measurement::kInterval)->value,
              krippendorff_alpha(four_observers(), Measurement::kInterval)->value, 1e-9);
}

TEST(Agreement, IsOneWhenAllAgreeOnMoreThanOneCategory) {
  const Ratings ratings{.raters = 3, .values = {1, 1, 1, 2, 2, kNone, 5, 5, 5}};
  for (const auto level : {Measurement::kNominal, Measurement::kOrdinal, Measurement::kInterval}) {
    EXPECT_DOUBLE_EQ(krippendorff_alpha(ratings, level)->value, 1);
  }
  EXPECT_DOUBLE_EQ(gwet_ac(ratings, {.weights = AgreementWeights::kQuadratic})->value, 1);
  EXPECT_DOUBLE_EQ(fleiss_kappa(ratings)->value, 1);
}

TEST(Agreement, IsUndefinedWhereChanceExplainsEverything) {
  const Ratings constant{.raters = 2, .values = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1}};
  for (const auto level : {Measurement::kNominal, Measurement::kOrdinal, Measurement::kInterval}) {
    EXPECT_FALSE(krippendorff_alpha(constant, level));
  }
  EXPECT_FALSE(cohen_kappa(constant));
  EXPECT_FALSE(fleiss_kappa(constant));
  EXPECT_FALSE(gwet_ac(constant));
  EXPECT_DOUBLE_EQ(percent_agreement(constant)->value, 1);
  EXPECT_DOUBLE_EQ(gwet_ac(constant, {.categories = {0.1, 0.2}})->value, 1) << "AC1 is defined: no paradox";
}

TEST(Agreement, RefusesWhatIsNotATableOfRatings) {
  EXPECT_FALSE(krippendorff_alpha({.raters = 0}, Measurement::kNominal));
  EXPECT_FALSE(krippendorff_alpha({.raters = 2, .values = {1, 2, 3}}, Measurement::kNominal));
  EXPECT_FALSE(gwet_ac({.raters = 2, .values = {1, kNone, kNone, 2}}));
  EXPECT_FALSE(gwet_ac({.raters = 2, .values = {1, std::numeric_limits<double>::infinity()}}));
  EXPECT_FALSE(cohen_kappa(four_observers()));
  const auto off_scale = gwet_ac({.raters = 2, .values = {1, 1, 2, 7}}, {.categories = {1, 2, 3}});
  ASSERT_FALSE(off_scale);
  EXPECT_NE(off_scale.error().message().find("unit 1, rater 1"), std::string::npos);
}

}  // namespace
}  // namespace awry::score
