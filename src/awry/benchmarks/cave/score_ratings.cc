// SPDX-License-Identifier: Apache-2.0
// Severity, surprisal and complexity: the model's ratings against people's, and people's among themselves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "awry/base/text.h"
#include "awry/benchmarks/cave/board.h"
#include "awry/benchmarks/cave/rater_agreement.h"
#include "awry/score/correlation.h"

namespace awry::benchmarks::cave {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> kScale = {1, 2, 3, 4, 5};

struct Pair {
  double model, people;
};
using PairsByImage = std::vector<std::vector<Pair>>;

// What stands in for a rating that is missing.
enum class Fill { kNothing, kLikePeople, kUnlikePeople };

PairsByImage pairs_of(const Board& board, std::size_t feature, Fill fill) {
  PairsByImage pairs(board.items().size());
  for_each_anomaly(board, [&](std::size_t image, const AnomalyItem& anomaly) {
    if (!anomaly.people[feature]) return;
    const double people = *anomaly.people[feature];
    if (anomaly.rated[feature] == Standing::kScored) {
      pairs[image].push_back({anomaly.rating[feature], people});
    } else if (fill == Fill::kLikePeople) {
      pairs[image].push_back({people, people});
    } else if (fill == Fill::kUnlikePeople) {
      pairs[image].push_back({6 - people, people});
    }
  });
  return pairs;
}

using Coefficient = double (*)(std::span<const double> model, std::span<const double> people);

double spearman(std::span<const double> model, std::span<const double> people) {
  return score::spearman(model, people).value_or(kUndefined);
}
double pearson(std::span<const double> model, std::span<const double> people) {
  return score::pearson(model, people).value_or(kUndefined);
}
// AC2 compares categories, so people's mean is rounded, halves up.
double ac2(std::span<const double> model, std::span<const double> people) {
  score::Ratings ratings{.raters = 2};
  for (std::size_t i = 0; i < model.size(); ++i) {
    ratings.values.push_back(std::floor(model[i] + 0.5));
    ratings.values.push_back(std::floor(people[i] + 0.5));
  }
  const auto agreement =
      score::gwet_ac(ratings, {.weights = score::AgreementWeights::kQuadratic, .categories = kScale});
  return agreement ? agreement->value : kUndefined;
}

double over(const PairsByImage& pairs, std::span<const std::uint32_t> drawn, Coefficient coefficient) {
  std::vector<double> model, people;
  for (const std::uint32_t image : drawn) {
    for (const Pair& pair : pairs[image]) model.push_back(pair.model), people.push_back(pair.people);
  }
  return coefficient(model, people);
}

// A correlation has no worst case one could write down, so the range is between all missing ratings equal to
// people's mean and all at its mirror image on the scale.
std::optional<Interval> missing_range(const Board& board, std::size_t feature, Coefficient coefficient) {
  std::vector<std::uint32_t> everything(board.items().size());
  for (std::uint32_t i = 0; i < everything.size(); ++i) everything[i] = i;
  const double like = over(pairs_of(board, feature, Fill::kLikePeople), everything, coefficient);
  const double unlike = over(pairs_of(board, feature, Fill::kUnlikePeople), everything, coefficient);
  if (std::isnan(like) || std::isnan(unlike)) return std::nullopt;
  return Interval{std::min(like, unlike), std::max(like, unlike), 1.0};
}

Result<void> score_feature(Board& board, std::size_t feature) {
  const auto asked = [&](const AnomalyItem& a) { return a.rated[feature] != Standing::kNotAsked; };
  if (!any_anomaly(board, asked)) return {};
  const PairsByImage pairs = pairs_of(board, feature, Fill::kNothing);
  std::size_t count = 0;
  for (const auto& image : pairs) count += image.size();
  const bool missing = any_anomaly(board, [&](const AnomalyItem& anomaly) {
    return anomaly.people[feature].has_value() && anomaly.rated[feature] != Standing::kScored;
  });
  struct Named {
    std::string_view key, metric, p_key;
    Coefficient value;
  };
  constexpr std::array kNamed = {Named{"spearman", "spearman", "spearman_p", spearman},
                                 Named{"pearson", "pearson", "pearson_p", pearson},
                                 Named{"ac2", "gwet-ac2-quadratic", "", ac2}};
  for (const auto& [key, metric, p_key, value] : kNamed) {
    score::Signature signature = board.signature(fmt::format("rating/{}", key), metric);
    signature.set("against", key == "ac2" ? "rounded-mean-of-people" : "mean-of-people");
    signature.set("missing", "left-out").set("range", "mirrored-to-equal");
    std::optional<Interval> range;
    if (missing) range = missing_range(board, feature, value);
    AWRY_TRY(board.write_statistic(
        {kFeatures[feature], key, signature}, count,
        [&](std::span<const std::uint32_t> drawn) { return over(pairs, drawn, value); }, range, p_key));
  }
  return {};
}

// Evidence::note of people's ratings is "rater 2".
std::size_t rater_column(const Evidence& evidence) {
  const std::size_t blank = evidence.note.rfind(' ');
  const auto number =
      parse_integer(blank == std::string::npos ? evidence.note : evidence.note.substr(blank + 1));
  return number && *number >= 1 && *number <= 1000 ? static_cast<std::size_t>(*number - 1) : 0;
}

}  // namespace

Result<void> score_ratings(Board& board) {
  for (std::size_t feature = 0; feature < kFeatures.size(); ++feature)
    AWRY_TRY(score_feature(board, feature));
  return {};
}

Result<void> score_raters(Board& board) {
  for (const std::string_view feature : kFeatures) {
    RaterTable table;
    table.by_image.resize(board.items().size());
    for_each_anomaly(board, [&](std::size_t, const AnomalyItem& anomaly) {
      for (const Evidence& evidence : anomaly.truth->evidence) {
        if (evidence.kind == feature && evidence.value) {
          table.raters = std::max(table.raters, rater_column(evidence) + 1);
        }
      }
    });
    for_each_anomaly(board, [&](std::size_t image, const AnomalyItem& anomaly) {
      std::vector<double> row(table.raters, score::kNotRated);
      for (const Evidence& evidence : anomaly.truth->evidence) {
        if (evidence.kind == feature && evidence.value) row[rater_column(evidence)] = *evidence.value;
      }
      table.by_image[image].insert(table.by_image[image].end(), row.begin(), row.end());
    });
    AWRY_TRY(write_agreement(board, fmt::format("raters/{}", feature), table, kScale));
  }
  return {};
}

}  // namespace awry::benchmarks::cave
