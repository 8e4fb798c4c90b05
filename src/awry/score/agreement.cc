// SPDX-License-Identifier: Apache-2.0
#include "awry/score/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "awry/score/correlation.h"

namespace awry::score {
namespace {

constexpr auto kWhat = "cannot compute agreement";

Result<void> check(const Ratings& ratings) {
  if (ratings.raters == 0 || ratings.values.size() % ratings.raters != 0) {
    return fail({.what = kWhat,
                 .why = fmt::format("{} ratings are not whole rows of {} raters", ratings.values.size(),
                                    ratings.raters)});
  }
  const auto bad = std::ranges::find_if(ratings.values, [](double value) { return std::isinf(value); });
  if (bad != ratings.values.end()) {
    const auto index = static_cast<std::size_t>(bad - ratings.values.begin());
    return fail({.what = kWhat,
                 .why = fmt::format("unit {}, rater {}: the rating is infinite", index / ratings.raters,
                                    index % ratings.raters)});
  }
  return {};
}

Error nothing_to_compare() {
  return {.what = kWhat, .why = "no unit was rated twice", .hint = "Agreement needs two ratings of a unit."};
}

Result<Agreement> corrected_for_chance(Agreement agreement) {
  if (!(agreement.expected < 1)) {
    return fail({.what = "agreement is undefined",
                 .why = "all ratings are the same, so chance alone explains that they agree"});
  }
  agreement.value = (agreement.observed - agreement.expected) / (1 - agreement.expected);
  return agreement;
}

// Ratings that were given, unit by unit.
struct GivenRatings {
  std::vector<double> values;
  std::vector<std::size_t> ends;  // one past the last value of each unit
};

GivenRatings given_at_least(std::size_t times, const Ratings& ratings) {
  GivenRatings given;
  given.values.reserve(ratings.values.size());
  for (std::size_t start = 0; start < ratings.values.size(); start += ratings.raters) {
    const std::size_t before = given.values.size();
    for (std::size_t i = start; i < start + ratings.raters; ++i) {
      if (!std::isnan(ratings.values[i])) given.values.push_back(ratings.values[i]);
    }
    if (given.values.size() - before < times) {
      given.values.resize(before);
    } else {
      given.ends.push_back(given.values.size());
    }
  }
  return given;
}

// The mean squared difference over ordered pairs of distinct members is 2 (m sum x^2 - (sum x)^2) / m(m-1),
// which makes alpha linear in the number of ratings: no matrix of categories is ever built.
double squared_difference_total(std::span<const double> values) {
  double sum = 0, squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  return 2 * (static_cast<double>(values.size()) * squares - sum * sum);
}

// Ordered pairs that differ.
double unequal_pairs(std::vector<double> values) {
  std::ranges::sort(values);
  double equal = 0;
  for (std::size_t begin = 0; begin < values.size();) {
    std::size_t end = begin + 1;
    while (end < values.size() && values[end] == values[begin]) ++end;
    const auto count = static_cast<double>(end - begin);
    equal += count * count;
    begin = end;
  }
  const auto size = static_cast<double>(values.size());
  return size * size - equal;
}

double unequal_pairs_in_unit(std::span<const double> values) {
  std::size_t unequal = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) unequal += values[i] != values[j] ? 2 : 0;
  }
  return static_cast<double>(unequal);
}

}  // namespace

Result<Agreement> krippendorff_alpha(const Ratings& ratings, Measurement measurement) {
  AWRY_TRY(check(ratings));
  GivenRatings given = given_at_least(2, ratings);
  if (given.ends.empty()) return fail(nothing_to_compare());

  // Krippendorff's ordinal distance between two categories is the difference of their mid-ranks.
  if (measurement == Measurement::kOrdinal) given.values = mid_ranks(given.values);
  const bool nominal = measurement == Measurement::kNominal;
  const auto count = static_cast<double>(given.values.size());
  if (!nominal) {
    // Squares of numbers far from 0 would drown their differences.
    double mean = 0;
    for (const double value : given.values) mean += value / count;
    for (double& value : given.values) value -= mean;
  }

  double within_units = 0;
  std::size_t begin = 0;
  for (const std::size_t end : given.ends) {
    const std::span<const double> unit(given.values.data() + begin, end - begin);
    within_units += (nominal ? unequal_pairs_in_unit(unit) : squared_difference_total(unit)) /
                    static_cast<double>(unit.size() - 1);
    begin = end;
  }
  const double overall = nominal ? unequal_pairs(given.values) : squared_difference_total(given.values);
  const bool constant =
      std::ranges::all_of(given.values, [&](double value) { return value == given.values.front(); });
  if (constant) return corrected_for_chance({.expected = 1});

  const double observed = within_units / count, expected = overall / (count * (count - 1));
  return Agreement{.value = 1 - observed / expected,
                   .observed = 1 - observed,
                   .expected = 1 - expected,
                   .units = given.ends.size(),
                   .ratings = given.values.size()};
}

namespace {

// Ratings as numbers of categories, and how far any two categories agree.
struct CategorisedRatings {
  std::size_t categories = 0;
  std::vector<double> weights;       // categories x categories, 1 on the diagonal
  std::vector<std::uint32_t> codes;  // like Ratings::values; kNone where not rated
  std::size_t raters = 0;
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  double weight(std::size_t a, std::size_t b) const { return weights[a * categories + b]; }
};

double weight_of(AgreementWeights kind, std::span<const double> scale, std::size_t a, std::size_t b) {
  if (a == b) return 1;
  const double distance = std::abs(scale[a] - scale[b]) / (scale.back() - scale.front());
  switch (kind) {
    case AgreementWeights::kIdentity:
      return 0;
    case AgreementWeights::kLinear:
      return 1 - distance;
    case AgreementWeights::kQuadratic:
      return 1 - distance * distance;
    case AgreementWeights::kOrdinal: {
      const auto pairs = [](std::size_t categories) {
        return static_cast<double>(categories) * static_cast<double>(categories - 1) / 2;
      };
      return 1 - pairs((a > b ? a - b : b - a) + 1) / pairs(scale.size());
    }
  }
  return 0;
}

Result<CategorisedRatings> categorise(const Ratings& ratings, const AgreementOptions& options) {
  AWRY_TRY(check(ratings));
  std::vector<double> scale = options.categories;
  if (scale.empty()) {
    std::ranges::copy_if(ratings.values, std::back_inserter(scale),
                         [](double value) { return !std::isnan(value); });
  }
  std::ranges::sort(scale);
  scale.erase(std::unique(scale.begin(), scale.end()), scale.end());
  constexpr std::size_t kMostCategories = 1000;
  if (scale.size() > kMostCategories) {
    return fail({.kind = ErrorKind::kLimit,
                 .what = kWhat,
                 .why = fmt::format("{} different ratings, but categories are at most {}", scale.size(),
                                    kMostCategories),
                 .hint = "Round the ratings to a scale, or use Krippendorff's alpha for measurements."});
  }

  CategorisedRatings result{.categories = scale.size(), .raters = ratings.raters};
  result.codes.reserve(ratings.values.size());
  for (std::size_t i = 0; i < ratings.values.size(); ++i) {
    const double value = ratings.values[i];
    if (std::isnan(value)) {
      result.codes.push_back(CategorisedRatings::kNone);
      continue;
    }
    const auto found = std::ranges::lower_bound(scale, value);
    if (found == scale.end() || *found != value) {
      return fail({.what = kWhat,
                   .why = fmt::format("unit {}, rater {}: the rating {} is not on the scale",
                                      i / ratings.raters, i % ratings.raters, value)});
    }
    result.codes.push_back(static_cast<std::uint32_t>(found - scale.begin()));
  }
  for (std::size_t a = 0; a < scale.size(); ++a) {
    for (std::size_t b = 0; b < scale.size(); ++b) {
      result.weights.push_back(weight_of(options.weights, scale, a, b));
    }
  }
  return result;
}

// What the coefficients share; they differ in what they expect by chance.
struct Observed {
  Agreement agreement;                   // without `expected` and `value`
  std::vector<double> mean_share;        // per category, the mean over rated units of its share in the unit
  std::vector<double> share_of_ratings;  // per category, over the ratings of units rated at least twice
};

Result<Observed> observe(const CategorisedRatings& ratings) {
  Observed seen{.mean_share = std::vector<double>(ratings.categories),
                .share_of_ratings = std::vector<double>(ratings.categories)};
  std::vector<std::uint32_t> unit;
  double rated_units = 0;
  for (std::size_t start = 0; start < ratings.codes.size(); start += ratings.raters) {
    unit.clear();
    for (std::size_t i = start; i < start + ratings.raters; ++i) {
      if (ratings.codes[i] != CategorisedRatings::kNone) unit.push_back(ratings.codes[i]);
    }
    if (unit.empty()) continue;
    const auto size = static_cast<double>(unit.size());
    ++rated_units;
    for (const std::uint32_t code : unit) seen.mean_share[code] += 1 / size;
    if (unit.size() < 2) continue;

    double agreeing = 0;
    for (std::size_t i = 0; i < unit.size(); ++i) {
      for (std::size_t j = i + 1; j < unit.size(); ++j) agreeing += 2 * ratings.weight(unit[i], unit[j]);
    }
    seen.agreement.observed += agreeing / (size * (size - 1));
    seen.agreement.units += 1;
    seen.agreement.ratings += unit.size();
    for (const std::uint32_t code : unit) seen.share_of_ratings[code] += 1;
  }
  if (seen.agreement.units == 0) return fail(nothing_to_compare());
  seen.agreement.observed /= static_cast<double>(seen.agreement.units);
  for (double& share : seen.mean_share) share /= rated_units;
  for (double& share : seen.share_of_ratings) share /= static_cast<double>(seen.agreement.ratings);
  return seen;
}

double agreement_of_draws(const CategorisedRatings& ratings, std::span<const double> first,
                          std::span<const double> second) {
  double expected = 0;
  for (std::size_t a = 0; a < ratings.categories; ++a) {
    for (std::size_t b = 0; b < ratings.categories; ++b) {
      expected += ratings.weight(a, b) * first[a] * second[b];
    }
  }
  return expected;
}

// 1 - sum of squares would not reach 1 exactly when all ratings are the same.
bool one_category_only(std::span<const double> shares) {
  return std::ranges::count_if(shares, [](double share) { return share > 0; }) < 2;
}

}  // namespace

Result<Agreement> gwet_ac(const Ratings& ratings, const AgreementOptions& options) {
  AWRY_TRY_ASSIGN(const CategorisedRatings categorised, categorise(ratings, options));
  AWRY_TRY_ASSIGN(const Observed seen, observe(categorised));
  if (categorised.categories < 2) return corrected_for_chance({.expected = 1});

  double weights = 0, spread = 0;
  for (const double weight : categorised.weights) weights += weight;
  for (const double share : seen.mean_share) spread += share * (1 - share);
  Agreement agreement = seen.agreement;
  const auto categories = static_cast<double>(categorised.categories);
  agreement.expected = weights / (categories * (categories - 1)) * spread;
  return corrected_for_chance(agreement);
}

Result<Agreement> cohen_kappa(const Ratings& ratings, const AgreementOptions& options) {
  if (ratings.raters != 2) {
    return fail({.what = "cannot compute Cohen's kappa",
                 .why = fmt::format("it compares two raters, there are {}", ratings.raters),
                 .hint = "Use Fleiss' kappa, Gwet's AC or Krippendorff's alpha."});
  }
  AWRY_TRY_ASSIGN(const CategorisedRatings categorised, categorise(ratings, options));
  AWRY_TRY_ASSIGN(const Observed seen, observe(categorised));
  if (one_category_only(seen.share_of_ratings)) return corrected_for_chance({.expected = 1});

  std::vector<double> first(categorised.categories), second(categorised.categories);
  const auto units = static_cast<double>(seen.agreement.units);
  for (std::size_t i = 0; i < categorised.codes.size(); i += 2) {
    const std::uint32_t a = categorised.codes[i], b = categorised.codes[i + 1];
    if (a == CategorisedRatings::kNone || b == CategorisedRatings::kNone) continue;
    first[a] += 1 / units;
    second[b] += 1 / units;
  }
  Agreement agreement = seen.agreement;
  agreement.expected = agreement_of_draws(categorised, first, second);
  return corrected_for_chance(agreement);
}

Result<Agreement> fleiss_kappa(const Ratings& ratings, const AgreementOptions& options) {
  AWRY_TRY_ASSIGN(const CategorisedRatings categorised, categorise(ratings, options));
  AWRY_TRY_ASSIGN(const Observed seen, observe(categorised));
  if (one_category_only(seen.mean_share)) return corrected_for_chance({.expected = 1});
  Agreement agreement = seen.agreement;
  agreement.expected = agreement_of_draws(categorised, seen.mean_share, seen.mean_share);
  return corrected_for_chance(agreement);
}

Result<Agreement> percent_agreement(const Ratings& ratings, const AgreementOptions& options) {
  AWRY_TRY_ASSIGN(const CategorisedRatings categorised, categorise(ratings, options));
  AWRY_TRY_ASSIGN(Observed seen, observe(categorised));
  seen.agreement.value = seen.agreement.observed;
  return seen.agreement;
}

}  // namespace awry::score
