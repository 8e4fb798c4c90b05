// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/rater_agreement.h"

#include <cmath>
#include <functional>
#include <limits>

#include "awry/score/bootstrap.h"
#include "awry/score/correlation.h"
#include "awry/score/signature.h"

namespace awry::cli {

namespace {

using score::AgreementOptions;
using score::AgreementWeights;
using score::Measurement;
using score::Ratings;

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
using Compute = std::function<Result<score::Agreement>(const Ratings&)>;

score::BootstrapOptions bootstrap_options(const RaterAgreementOptions& options) {
  return {.resamples = options.resamples, .seed = options.seed};
}

bool stopped(const RaterAgreementOptions& options) {
  return options.cancel != nullptr && options.cancel->requested();
}

template <class Statistic>
std::optional<Interval> interval_of(std::size_t units, const RaterAgreementOptions& options,
                                    Statistic&& statistic) {
  if (options.resamples == 0) return std::nullopt;
  const auto estimate = score::bootstrap(
      units,
      [&](std::span<const std::uint32_t> drawn) { return stopped(options) ? kUndefined : statistic(drawn); },
      bootstrap_options(options));
  if (!estimate) return std::nullopt;
  return estimate->interval;
}

std::optional<Interval> interval_of(const Ratings& ratings, const Compute& compute,
                                    const RaterAgreementOptions& options) {
  Ratings resample{.raters = ratings.raters, .values = std::vector<double>(ratings.values.size())};
  return interval_of(ratings.units(), options, [&](std::span<const std::uint32_t> drawn) {
    auto target = resample.values.begin();
    for (const std::uint32_t unit : drawn) {
      const auto row = ratings.values.begin() + static_cast<std::ptrdiff_t>(unit * ratings.raters);
      target = std::copy_n(row, ratings.raters, target);
    }
    const auto agreement = compute(resample);
    return agreement ? agreement->value : kUndefined;
  });
}

class Collector {
 public:
  Collector(const NumberedRatings& ratings, const RaterAgreementOptions& options)
      : ratings_(ratings), options_(options) {}

  void add(std::string key, std::string label, std::string level, score::Signature signature,
           const Compute& compute) {
    Coefficient coefficient{.key = std::move(key), .label = std::move(label), .level = std::move(level)};
    signature.set("missing", "left_out");
    if (options_.resamples > 0) {
      signature.set("interval", "bootstrap_units").set("resamples", static_cast<int>(options_.resamples));
    }
    coefficient.signature = signature.text();
    if (auto agreement = compute(ratings_.ratings)) {
      coefficient.agreement = *agreement;
      coefficient.interval = interval_of(ratings_.ratings, compute, options_);
    } else {
      coefficient.undefined = agreement.error().why;
    }
    found_.push_back(std::move(coefficient));
  }

  void add_alpha(const std::string& level, Measurement measurement) {
    score::Signature signature("agree/krippendorff_alpha");
    signature.set("measurement", level);
    add("alpha_" + level, "Krippendorff's alpha", level, signature,
        [=](const Ratings& ratings) { return score::krippendorff_alpha(ratings, measurement); });
  }

  // The categories stay those of the whole file: a resample may lack one, which must not change the scale.
  using WeightedFunction = Result<score::Agreement> (*)(const Ratings&, const AgreementOptions&);
  void add_weighted(std::string key, std::string label, std::string level, WeightedFunction function,
                    AgreementWeights weights, std::string_view weights_name) {
    score::Signature signature("agree/" + key);
    signature.set("weights", weights_name).set("categories", static_cast<int>(ratings_.categories.size()));
    add(std::move(key), std::move(label), std::move(level), signature,
        [=, categories = ratings_.categories](const Ratings& ratings) {
          return function(ratings, {.weights = weights, .categories = categories});
        });
  }

  std::vector<Coefficient> take() { return std::move(found_); }

 private:
  const NumberedRatings& ratings_;
  const RaterAgreementOptions& options_;
  std::vector<Coefficient> found_;
};

struct BothRated {
  std::vector<double> first, second;
};

BothRated both_rated(const Ratings& ratings, std::size_t first, std::size_t second) {
  BothRated both;
  for (std::size_t row = 0; row < ratings.values.size(); row += ratings.raters) {
    const double a = ratings.values[row + first], b = ratings.values[row + second];
    if (std::isnan(a) || std::isnan(b)) continue;
    both.first.push_back(a);
    both.second.push_back(b);
  }
  return both;
}

using Correlation = Result<double> (*)(std::span<const double>, std::span<const double>);

void correlate(Correlation correlation, const BothRated& both, const RaterAgreementOptions& options,
               std::optional<double>& value, std::optional<Interval>& interval) {
  const auto found = correlation(both.first, both.second);
  if (!found) return;
  value = *found;
  BothRated resample = both;
  interval = interval_of(both.first.size(), options, [&](std::span<const std::uint32_t> drawn) {
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      resample.first[i] = both.first[drawn[i]];
      resample.second[i] = both.second[drawn[i]];
    }
    return correlation(resample.first, resample.second).value_or(kUndefined);
  });
}

}  // namespace

std::vector<Coefficient> agreement_coefficients(const NumberedRatings& ratings,
                                                const RaterAgreementOptions& options) {
  const bool two = ratings.ratings.raters == 2;
  const bool ordered = ratings.kind != RatingsKind::kNames, numbers = ratings.kind == RatingsKind::kNumbers;
  using enum AgreementWeights;
  Collector collector(ratings, options);
  collector.add_weighted("percent_agreement", "Pairs that agree", "nominal", score::percent_agreement,
                         kIdentity, "identity");
  collector.add_alpha("nominal", Measurement::kNominal);
  if (ordered) collector.add_alpha("ordinal", Measurement::kOrdinal);
  if (numbers) collector.add_alpha("interval", Measurement::kInterval);
  collector.add_weighted("ac1", "Gwet's AC1", "nominal", score::gwet_ac, kIdentity, "identity");
  if (ordered) {
    collector.add_weighted("ac2_ordinal", "Gwet's AC2", "ordinal", score::gwet_ac, kOrdinal, "ordinal");
  }
  if (numbers) {
    collector.add_weighted("ac2_quadratic", "Gwet's AC2", "interval", score::gwet_ac, kQuadratic,
                           "quadratic");
  }
  if (two) {
    collector.add_weighted("cohen_kappa", "Cohen's kappa", "nominal", score::cohen_kappa, kIdentity,
                           "identity");
  } else {
    collector.add_weighted("fleiss_kappa", "Fleiss' kappa", "nominal", score::fleiss_kappa, kIdentity,
                           "identity");
  }
  if (two && numbers) {
    collector.add_weighted("cohen_kappa_quadratic", "Cohen's kappa, quadratic", "interval",
                           score::cohen_kappa, kQuadratic, "quadratic");
  }
  return collector.take();
}

std::vector<PairAgreement> pairwise_agreement(const NumberedRatings& ratings,
                                              const RaterAgreementOptions& options) {
  std::vector<PairAgreement> pairs;
  for (std::size_t first = 0; first < ratings.ratings.raters; ++first) {
    for (std::size_t second = first + 1; second < ratings.ratings.raters; ++second) {
      const BothRated both = both_rated(ratings.ratings, first, second);
      PairAgreement pair{.first = first, .second = second, .units = both.first.size()};
      Ratings two{.raters = 2};
      for (std::size_t i = 0; i < both.first.size(); ++i) {
        two.values.push_back(both.first[i]);
        two.values.push_back(both.second[i]);
      }
      if (const auto kappa = score::cohen_kappa(two)) pair.kappa = kappa->value;
      if (ratings.kind != RatingsKind::kNames) {
        correlate(score::spearman, both, options, pair.spearman, pair.spearman_interval);
      }
      if (ratings.kind == RatingsKind::kNumbers) {
        correlate(score::pearson, both, options, pair.pearson, pair.pearson_interval);
      }
      pairs.push_back(pair);
    }
  }
  return pairs;
}

}  // namespace awry::cli
