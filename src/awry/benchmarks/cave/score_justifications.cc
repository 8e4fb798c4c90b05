// SPDX-License-Identifier: Apache-2.0
// Anomaly justification: how often people find the model's better than, similar to or worse than a person's.
#include <fmt/format.h>

#include <algorithm>

#include "awry/benchmarks/cave/board.h"
#include "awry/benchmarks/cave/rater_agreement.h"

namespace awry::benchmarks::cave {
namespace {

struct Verdict {
  std::string_view key;
  double value;
};
constexpr std::array kVerdicts = {Verdict{"better", 1}, Verdict{"similar", 0}, Verdict{"worse", -1}};

Tally justifications(const Board& board, std::size_t criterion, double verdict, std::size_t raters,
                     const Which& which) {
  Tally tally(board.items().size());
  for_each_anomaly(board, [&](std::size_t image, const AnomalyItem& anomaly) {
    if (!which(anomaly) || anomaly.justified == Standing::kNotAsked) return;
    const auto weight = static_cast<double>(raters);
    const auto& ratings = anomaly.ratings[criterion];
    if (anomaly.justified == Standing::kFailed) {
      tally.add_missing(image, verdict == -1 ? 1 : 0, 0, 1, weight);
    } else if (ratings.empty()) {
      tally.leave_out(image, 0, 1, weight);
    } else {
      double share = 0;
      for (const Evidence& rating : ratings) share += *rating.value == verdict ? 1 : 0;
      tally.add(image, share / static_cast<double>(ratings.size()), static_cast<double>(ratings.size()));
    }
  });
  return tally;
}

// One row per justification, one column per rater met.
RaterTable rater_table(const Board& board, std::size_t criterion) {
  std::vector<std::string> names;
  const auto column = [&](const Evidence& rating) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), rating.note) - names.begin());
  };
  for_each_anomaly(board, [&](std::size_t, const AnomalyItem& anomaly) {
    for (const Evidence& rating : anomaly.ratings[criterion]) {
      if (column(rating) == names.size()) names.push_back(rating.note);
    }
  });
  RaterTable table{.raters = names.size()};
  table.by_image.resize(board.items().size());
  for_each_anomaly(board, [&](std::size_t image, const AnomalyItem& anomaly) {
    std::vector<double> row(names.size(), score::kNotRated);
    for (const Evidence& rating : anomaly.ratings[criterion]) row[column(rating)] = *rating.value;
    table.by_image[image].insert(table.by_image[image].end(), row.begin(), row.end());
  });
  return table;
}

}  // namespace

Result<void> score_justifications(Board& board) {
  if (!any_anomaly(board, [](const AnomalyItem& a) { return a.justified != Standing::kNotAsked; })) return {};
  struct Part {
    std::string_view suffix;
    Which which;
  };
  const std::array parts = {Part{"", [](const AnomalyItem&) { return true; }}, Part{"/hit", was_described},
                            Part{"/miss", was_missed}};
  for (std::size_t criterion = 0; criterion < kCriteria.size(); ++criterion) {
    std::size_t raters = 1;
    for_each_anomaly(board, [&](std::size_t, const AnomalyItem& anomaly) {
      raters = std::max(raters, anomaly.ratings[criterion].size());
    });
    for (const Part& part : parts) {
      const std::string group = fmt::format("aj/{}{}", kCriteria[criterion], part.suffix);
      for (const Verdict& verdict : kVerdicts) {
        score::Signature signature = board.signature(fmt::format("aj/{}", verdict.key), "share-of-ratings");
        signature.set("against", "a-person").set("missing", "worse").set("unrated", "left-out");
        AWRY_TRY(board.write({group, verdict.key, signature},
                             justifications(board, criterion, verdict.value, raters, part.which)));
      }
    }
    AWRY_TRY(write_agreement(board, fmt::format("raters/aj/{}", kCriteria[criterion]),
                             rater_table(board, criterion), {-1, 0, 1}));
  }
  return {};
}

}  // namespace awry::benchmarks::cave
