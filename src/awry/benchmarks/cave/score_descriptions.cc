// SPDX-License-Identifier: Apache-2.0
// Anomaly description: micro precision, recall and F1, overall and by category.
#include <fmt/format.h>

#include <algorithm>

#include "awry/benchmarks/cave/board.h"

namespace awry::benchmarks::cave {
namespace {

struct Counts {
  double found = 0, wrong = 0, missed = 0;
};

Tally::Terms precision_terms(const Counts& c) {
  return {c.found, c.found + c.wrong};
}
Tally::Terms recall_terms(const Counts& c) {
  return {c.found, c.found + c.missed};
}
Tally::Terms f1_terms(const Counts& c) {
  return {2 * c.found, 2 * c.found + c.wrong + c.missed};
}

// Which anomalies are counted: all, or those of one category together with the false positives of the images
// that show it, since a false positive has no category of its own.
struct Selection {
  std::string_view category;  // "": all

  bool takes(const AnomalyItem& anomaly) const {
    if (category.empty()) return true;
    const auto categories = categories_of(*anomaly.truth);
    return std::find(categories.begin(), categories.end(), category) != categories.end();
  }
  bool concerns(const ImageItem& item) const {
    return category.empty() || std::any_of(item.anomalies.begin(), item.anomalies.end(),
                                           [&](const AnomalyItem& anomaly) { return takes(anomaly); });
  }
  Counts count(const ImageItem& item, const Detection& detection) const {
    Counts counts;
    if (!concerns(item)) return counts;
    for (std::size_t t = 0; t < item.anomalies.size(); ++t) {
      if (takes(item.anomalies[t])) ++(detection.found_by[t] ? counts.found : counts.missed);
    }
    counts.wrong = static_cast<double>(detection.false_positives);
    return counts;
  }
};

class Detections {
 public:
  explicit Detections(Board& board) : board_(board) {
    for (const ImageItem& item : board.items())
      most_claims_ = std::max(most_claims_, item.claims.value_or(0));
  }

  Result<void> write(std::string_view group, const Selection& selection, const score::Signature& judged) {
    struct Formula {
      std::string_view key, metric;
      Tally::Terms (*terms)(const Counts&);
    };
    constexpr std::array kFormulas = {Formula{"precision", "micro-precision", precision_terms},
                                      Formula{"recall", "micro-recall", recall_terms},
                                      Formula{"f1", "micro-f1", f1_terms}};
    for (const Formula& formula : kFormulas) {
      const Tally tally = tally_of(selection, formula.terms);
      score::Signature signature = judged;
      signature.set("metric", formula.metric);
      // Without a single claim precision is 0 as long as there was something to find.
      const std::optional<double> when_empty =
          formula.key == "precision" && has_truths(selection) ? std::optional(0.0) : std::nullopt;
      AWRY_TRY(board_.write({group, formula.key, signature}, tally, when_empty));
    }
    return {};
  }

 private:
  bool has_truths(const Selection& selection) const {
    const auto& items = board_.items();
    return std::any_of(items.begin(), items.end(), [&](const ImageItem& item) {
      return item.described != Standing::kUnjudged &&
             std::any_of(item.anomalies.begin(), item.anomalies.end(),
                         [&](const AnomalyItem& anomaly) { return selection.takes(anomaly); });
    });
  }

  // Everything found and nothing wrong; nothing found, and as much wrong as the most talkative answer claims.
  static Detection all_found(const ImageItem& item) {
    PairVerdicts perfect(item.anomalies.size(), item.anomalies.size());
    for (std::size_t p = 0; p < item.anomalies.size(); ++p) {
      for (std::size_t t = 0; t < item.anomalies.size(); ++t) {
        perfect.at(p, t) = p == t ? PairVerdict::kSame : PairVerdict::kDifferent;
      }
    }
    return match(perfect);
  }
  Detection all_wrong(const ImageItem& item) const {
    Detection detection = match(PairVerdicts(0, item.anomalies.size()));
    detection.false_positives = std::max<std::size_t>(1, most_claims_);
    return detection;
  }

  Tally tally_of(const Selection& selection, Tally::Terms (*terms)(const Counts&)) const {
    Tally tally(board_.items().size());
    for (std::size_t i = 0; i < board_.items().size(); ++i) {
      const ImageItem& item = board_.items()[i];
      if (!selection.concerns(item)) continue;
      const Detection known = item.described == Standing::kNotAsked
                                  ? match(PairVerdicts(0, item.anomalies.size()))
                                  : item.detection;
      const bool lost = !item.claims, judged = item.described != Standing::kUnjudged;
      const auto terms_of = [&](const Detection& detection) {
        return terms(selection.count(item, detection));
      };
      if (judged) {
        tally.point[i] += terms_of(known);
        ++tally.count;
      }
      tally.low[i] += terms_of(lost ? all_wrong(item) : known);
      tally.high[i] += terms_of(lost ? all_found(item) : judged ? known : item.best);
      tally.missing = tally.missing || lost || !judged;
    }
    return tally;
  }

  Board& board_;
  std::size_t most_claims_ = 0;
};

Result<void> write_alarms(Board& board, const score::Signature& judged) {
  Tally alarms(board.items().size());
  for (std::size_t i = 0; i < board.items().size(); ++i) {
    const ImageItem& item = board.items()[i];
    if (!item.anomalies.empty()) continue;
    alarms.add_by_standing(item.described, i, item.claims.value_or(0) > 0 ? 1 : 0, 0, 1, 0);
  }
  score::Signature signature = judged;
  signature.set("metric", "normal-images-with-a-claim");
  return board.write({"ad", "false_alarm_rate", signature}, alarms);
}

void write_counts(Board& board, const score::Signature& judged) {
  Detection all;
  std::size_t images = 0;
  for (const ImageItem& item : board.items()) {
    if (item.described == Standing::kUnjudged) continue;
    ++images;
    const bool asked = item.described != Standing::kNotAsked;
    all.true_positives += item.detection.true_positives;
    all.false_positives += item.detection.false_positives;
    all.false_negatives += asked ? item.detection.false_negatives : item.anomalies.size();
    all.duplicates += item.detection.duplicates;
    board.score(item, "ad/tp", static_cast<double>(item.detection.true_positives));
    board.score(item, "ad/fp", static_cast<double>(item.detection.false_positives));
    board.score(item, "ad/fn",
                static_cast<double>(asked ? item.detection.false_negatives : item.anomalies.size()));
  }
  score::Signature signature = judged;
  signature.set("metric", "count");
  signature.set("unit", "descriptions");
  board.write_count({"ad", "tp", signature}, all.true_positives, images);
  board.write_count({"ad", "fp", signature}, all.false_positives, images);
  board.write_count({"ad", "fn", signature}, all.false_negatives, images);
  board.write_count({"ad", "duplicates", signature}, all.duplicates, images);
}

}  // namespace

Result<void> score_descriptions(Board& board, const score::Signature& judged) {
  const auto asked = [](const ImageItem& item) { return item.described != Standing::kNotAsked; };
  if (std::none_of(board.items().begin(), board.items().end(), asked)) return {};
  score::Signature signature = judged;
  signature.set("matching", "one-to-one-maximum").set("duplicates", "neither");
  signature.set("missing", "wrong")
      .set("unjudged", "left-out")
      .set("worst", "most-claims-met")
      .set("empty", "0");

  Detections detections(board);
  AWRY_TRY(detections.write("ad", {}, signature));
  write_counts(board, signature);
  AWRY_TRY(write_alarms(board, signature));
  const score::Signature by_category = signature.with("false-positives", "of-images-with-the-category");
  for (const Category& category : kCategories) {
    AWRY_TRY(detections.write(fmt::format("ad/category:{}", category.key), {category.key}, by_category));
  }
  return {};
}

}  // namespace awry::benchmarks::cave
