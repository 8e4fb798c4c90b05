// SPDX-License-Identifier: Apache-2.0
// Where the metrics are written: values with interval, range, count and signature.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/cave/cave.h"
#include "awry/benchmarks/cave/item.h"
#include "awry/score/bootstrap.h"
#include "awry/score/signature.h"

namespace awry::benchmarks::cave {

// A sum over a sum, kept image by image because images are what the bootstrap draws.
struct Tally {
  struct Terms {
    double numerator = 0, denominator = 0;
    Terms& operator+=(const Terms& other) {
      numerator += other.numerator, denominator += other.denominator;
      return *this;
    }
  };
  std::vector<Terms> point, low, high;  // as answered; what is missing at its worst; and at its best
  bool missing = false;
  std::size_t count = 0;  // items that `point` rests on

  explicit Tally(std::size_t images) : point(images), low(images), high(images) {}

  // An item with an answer.
  void add(std::size_t image, double value, double weight = 1);
  // One without: `value` counts, but it might have been anything from `lowest` to `highest`.
  void add_missing(std::size_t image, double value, double lowest, double highest, double weight = 1);
  // One that is left out, and might have been anything from `lowest` to `highest`.
  void leave_out(std::size_t image, double lowest, double highest, double weight = 1);
  // By standing; kNotAsked counts as kFailed. `value` is used for kScored, `failed` for kFailed.
  void add_by_standing(Standing standing, std::size_t image, double value, double failed, double lowest,
                       double highest);

  static Terms total(const std::vector<Terms>& terms);
  // 0/0 is `when_empty`.
  std::optional<double> value(std::optional<double> when_empty = std::nullopt) const;
  std::optional<Interval> range(std::optional<double> when_empty = std::nullopt) const;
};

struct Written {
  std::string_view group, key;
  const score::Signature& signature;
};

class Board {
 public:
  Board(std::span<const ImageItem> items, const Options& options, Summary& summary)
      : items_(items), options_(options), summary_(summary) {}

  std::span<const ImageItem> items() const { return items_; }
  const Options& options() const { return options_; }

  // Fields that all metrics share; `metric` says which formula it is.
  score::Signature signature(std::string_view name, std::string_view metric) const;

  // Nothing is written where nothing was counted; a note says so where all of it was left out.
  Result<void> write(const Written& as, const Tally& tally, std::optional<double> when_empty = std::nullopt);

  // Any function of the drawn images. With `p_key`, also the p-value against 0, under that key.
  Result<void> write_statistic(const Written& as, std::size_t count, const score::Statistic& statistic,
                               std::optional<Interval> missing, std::string_view p_key = "");

  void write_count(const Written& as, std::size_t number, std::size_t images);
  void score(const ImageItem& item, std::string_view metric, double value);
  void note(std::string text) { summary_.notes.push_back(std::move(text)); }

 private:
  score::BootstrapOptions bootstrap_options() const;
  void push(const Written& as, Metric metric);

  std::span<const ImageItem> items_;
  const Options& options_;
  Summary& summary_;
};

// Calls visit(index of the image, anomaly).
template <class Visit>
void for_each_anomaly(const Board& board, const Visit& visit) {
  for (std::size_t i = 0; i < board.items().size(); ++i) {
    for (const AnomalyItem& anomaly : board.items()[i].anomalies) visit(i, anomaly);
  }
}

// Which anomalies a metric is about.
using Which = std::function<bool(const AnomalyItem&)>;
bool any_anomaly(const Board& board, const Which& which);
inline bool was_described(const AnomalyItem& anomaly) {
  return anomaly.described == true;
}
inline bool was_missed(const AnomalyItem& anomaly) {
  return anomaly.described == false;
}

// The parts of scoring.cc: each writes the metrics of its tasks, and nothing where they were not asked.
Result<void> score_descriptions(Board& board, const score::Signature& judged);
Result<void> score_explanations(Board& board, const score::Signature& judged);
Result<void> score_places(Board& board);
Result<void> score_justifications(Board& board);
Result<void> score_ratings(Board& board);
Result<void> score_categories(Board& board);
Result<void> score_culture(Board& board);
// How far people agree with one another; needs no answers.
Result<void> score_raters(Board& board);

// All of them. `judge` and `prompt` go into the signatures.
struct Provenance {
  std::string judge = "unnamed", prompt = "unknown";
};
Result<void> summarise(std::span<const ImageItem> items, const Provenance& from, const Options& options,
                       Summary& summary);

// All metrics on a tiny made-up dataset answered perfectly, not at all, and perfectly in another order.
Result<void> check_metrics_first(const Options& options);

}  // namespace awry::benchmarks::cave
