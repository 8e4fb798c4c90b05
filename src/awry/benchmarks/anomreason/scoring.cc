// SPDX-License-Identifier: Apache-2.0
// Answers + truth -> Scores -> Summary.
#include "awry/benchmarks/anomreason/scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "awry/benchmarks/anomreason/similarity_file.h"
#include "awry/score/bootstrap.h"
#include "awry/score/signature.h"

namespace awry::benchmarks::anomreason {
namespace {

// One image in one metric: its value, and what it could be at worst and at best.
struct Cell {
  double value = 0, worst = 0, best = 0;
  bool counted = true;  // false: outside the mean, as images without an answer are for the released scorer
};

Cell known(double value) {
  return {.value = value, .worst = value, .best = value};
}

struct Column {
  std::vector<Cell> cells;

  std::vector<double> counted_values() const {
    std::vector<double> values;
    for (const Cell& cell : cells) {
      if (cell.counted) values.push_back(cell.value);
    }
    return values;
  }
  std::optional<Interval> range() const {
    Interval range{.level = 1.0};
    bool open = false;
    for (const Cell& cell : cells) {
      range.low += cell.worst, range.high += cell.best;
      open |= cell.worst < cell.best;
    }
    if (!open) return std::nullopt;
    const auto count = static_cast<double>(cells.size());
    range.low /= count, range.high /= count;
    return range;
  }
};

using Part = double score::SemanticScore::*;
constexpr Part kAp = &score::SemanticScore::ap, kF1 = &score::SemanticScore::f1;

class Board {
 public:
  Board(std::span<const Item> items, const Options& options, const score::Similarity::Fields& similarity,
        Summary& summary)
      : items_(items), options_(options), similarity_(similarity), summary_(summary) {}

  Result<void> write() {
    for (std::size_t view = 0; view < kViews.size(); ++view) {
      AWRY_TRY(write_view(view));
      for (std::size_t i = 0; i < options_.thresholds.size(); ++i) AWRY_TRY(write_threshold(view, i));
    }
    return {};
  }

 private:
  using ScoreOf = std::function<score::SemanticScore(const Item&)>;

  bool released() const { return options_.variant == "released"; }

  Cell unanswered() const { return {.best = 1, .counted = !released()}; }

  Column column(Part part, const ScoreOf& score_of) const {
    Column column;
    for (const Item& item : items_) {
      column.cells.push_back(item.answered() ? known(score_of(item).*part) : unanswered());
    }
    return column;
  }

  // CSemAP and CSemF1 over the images whose source is known. A wrong verdict is 0 whatever was listed.
  Column column_if_right(Part part, std::size_t view) const {
    Column column;
    for (const Item& item : items_) {
      if (!item.has_source) continue;
      if (item.verdict_right == false) {
        column.cells.push_back(known(0));
      } else if (!item.answered()) {
        column.cells.push_back(unanswered());
      } else if (!item.verdict_right) {
        column.cells.push_back({.best = item.mean(view).*part});
      } else {
        column.cells.push_back(known(score::if_verdict_right(item.mean(view), true).*part));
      }
    }
    return column;
  }

  Column accuracy() const {
    Column column;
    for (const Item& item : items_) {
      if (!item.has_source) continue;
      if (item.verdict_right) {
        column.cells.push_back(known(*item.verdict_right ? 1 : 0));
      } else {
        column.cells.push_back(item.answered() ? Cell{.best = 1} : unanswered());
      }
    }
    return column;
  }

  bool any_verdict() const {
    return std::any_of(items_.begin(), items_.end(),
                       [](const Item& item) { return item.verdict_right.has_value(); });
  }

  score::Signature signature(std::string_view key, std::size_t view) const {
    score::Signature signature(fmt::format("anomreason/{}", key));
    signature.set("variant", options_.variant).set("view", kViews[view].name);
    if (kViews[view].phenomenon && kViews[view].reasoning) signature.set("alpha", options_.alpha);
    signature.set("thresholds", fmt::format("{}", fmt::join(options_.thresholds, ",")));
    signature.set("match", released() ? "most-similar-first" : "by-confidence");
    if (!released()) signature.set("rank", options_.rank);
    if (released() && key.ends_with("ap")) signature.set("ap", "precision");
    for (const auto& [name, value] : similarity_) signature.set(name, value);
    signature.set("empty", released() ? "both=0,one=0" : "both=1,one=0");
    return signature.set("missing", released() ? "left-out" : "0");
  }

  Result<void> add(std::string_view group, std::string_view key, std::string_view label, const Column& column,
                   const score::Signature& signature) {
    const std::vector<double> values = column.counted_values();
    if (values.empty()) return {};
    Metric metric{.key = std::string(key), .group = std::string(group), .label = std::string(label)};
    for (const double value : values) metric.value += value;
    metric.count = values.size();
    metric.value /= static_cast<double>(metric.count);
    metric.missing = column.range();
    metric.signature = signature.text();
    if (options_.resamples > 0) {
      AWRY_TRY_ASSIGN(
          const score::BootstrapEstimate estimate,
          score::bootstrap_mean(values, {.resamples = static_cast<std::size_t>(options_.resamples),
                                         .seed = static_cast<std::uint64_t>(options_.seed)}));
      metric.interval = estimate.interval;
    }
    summary_.metrics.push_back(std::move(metric));
    return {};
  }

  Result<void> write_view(std::size_t view) {
    const std::string_view group = kViews[view].name;
    const ScoreOf mean = [view](const Item& item) { return item.mean(view); };
    AWRY_TRY(add(group, "sem_ap", "SemAP", column(kAp, mean), signature("sem_ap", view)));
    AWRY_TRY(add(group, "sem_f1", "SemF1", column(kF1, mean), signature("sem_f1", view)));
    if (!any_verdict()) return {};
    if (view == 0) {
      score::Signature signed_as("anomreason/accuracy");
      signed_as.set("metric", "real-or-generated").set("missing", released() ? "left-out" : "wrong");
      AWRY_TRY(add("deepfake", "accuracy", "Acc", accuracy(), signed_as));
    }
    AWRY_TRY(add(group, "csem_ap", "CSemAP", column_if_right(kAp, view), signature("csem_ap", view)));
    return add(group, "csem_f1", "CSemF1", column_if_right(kF1, view), signature("csem_f1", view));
  }

  Result<void> write_threshold(std::size_t view, std::size_t index) {
    const std::string threshold = fmt::format("{}", options_.thresholds[index]);
    const std::string group = fmt::format("{}/tau:{}", kViews[view].name, threshold);
    const ScoreOf at = [view, index](const Item& item) { return item.scores[view][index]; };
    AWRY_TRY(add(group, "sem_ap", "SemAP", column(kAp, at),
                 signature("sem_ap", view).with("thresholds", threshold)));
    return add(group, "sem_f1", "SemF1", column(kF1, at),
               signature("sem_f1", view).with("thresholds", threshold));
  }

  std::span<const Item> items_;
  const Options& options_;
  const score::Similarity::Fields& similarity_;
  Summary& summary_;
};

// Per image, in the same order for every run: what `compare` pairs up.
void add_scores(const Item& item, const Options& options, Summary& summary) {
  if (!item.answered() && options.variant == "released") return;
  for (std::size_t view = 0; view < kViews.size(); ++view) {
    const score::SemanticScore mean = item.mean(view);
    for (const auto& [key, value] : {std::pair("sem_ap", mean.ap), std::pair("sem_f1", mean.f1)}) {
      summary.scores.push_back({.sample_id = item.sample->id,
                                .metric = fmt::format("anomreason/{}/{}", kViews[view].name, key),
                                .value = value});
    }
  }
}

void add_notes(std::span<const Item> items, const Options& options,
               const score::Similarity::Fields& similarity, Summary& summary) {
  std::size_t unasked = 0, unrated = 0, undecided = 0;
  for (const Item& item : items) {
    if (item.answer == nullptr) {
      ++unasked;
      if (options.variant != "released") summary.outcomes.add(Outcome::kTransport);
      continue;
    }
    summary.outcomes.add(item.answer->outcome);
    undecided += item.has_source && !item.verdict_right;
    for (const Finding& finding : item.answer->findings) unrated += !finding.severity;
  }
  const auto note = [&](std::string text) { summary.notes.push_back(std::move(text)); };
  const bool released = options.variant == "released";
  if (unasked > 0) {
    note(fmt::format("{} images have no answer at all; {}", unasked,
                     released ? "they are left out, as in the released scorer" : "they score 0"));
  }
  const std::size_t failed = summary.outcomes.failed() - (released ? 0 : unasked);
  if (failed > 0) {
    note(fmt::format(
        "{} of {} questions got no usable answer; {}, and every number shows the range between "
        "all of them worthless and all perfect",
        failed, summary.outcomes.total(), released ? "those images are left out" : "those images score 0"));
  }
  if (unrated > 0 && !released && options.rank == "severity") {
    note(fmt::format("{} predictions have no severity and rank behind all others of their image", unrated));
  }
  if (std::any_of(items.begin(), items.end(), [](const Item& item) { return item.has_source; })) {
    const bool any = std::any_of(items.begin(), items.end(),
                                 [](const Item& item) { return item.verdict_right.has_value(); });
    if (!any) {
      note("no answer says whether its image is real or generated: no accuracy, CSemAP or CSemF1");
    } else if (undecided > 0) {
      note(fmt::format("{} answers do not say whether the image is real or generated; that counts as wrong",
                       undecided));
    }
  }
  for (const auto& [name, value] : similarity) {
    if (name == "similarity" && value == "lexical") {
      note("similarity 'lexical' counts shared words: its numbers cannot be held against the paper's");
    }
  }
}

Result<std::unique_ptr<score::Similarity>> similarity_of(const Options& options) {
  constexpr std::string_view kMatrix = "matrix:";
  if (options.similarity.starts_with(kMatrix)) {
    return read_similarity_file(options.similarity.substr(kMatrix.size()));
  }
  return score::make_similarity(options.similarity);
}

}  // namespace

Result<void> summarise(std::span<const Item> items, const Options& options,
                       const score::Similarity::Fields& similarity, Summary& summary) {
  return Board(items, options, similarity, summary).write();
}

Result<Summary> score_with(std::span<const AnsweredSample> samples, const Options& options,
                           score::Similarity& similarity) {
  AWRY_TRY(check_metrics_first(options));
  Summary summary{.protocol = "anomreason"};
  AWRY_TRY_ASSIGN(const std::vector<Item> items, compare(samples, options, similarity));
  if (items.size() < samples.size()) {
    summary.notes.push_back(
        fmt::format("{} samples have no truth and were left out", samples.size() - items.size()));
  }
  for (const Item& item : items) add_scores(item, options, summary);
  add_notes(items, options, similarity.signature(), summary);
  AWRY_TRY(summarise(items, options, similarity.signature(), summary));
  if (summary.metrics.empty()) summary.notes.push_back("no image could be scored: there are no numbers");
  return summary;
}

Result<Summary> score(std::span<const AnsweredSample> samples, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_options(protocol_options));
  AWRY_TRY_ASSIGN(const std::unique_ptr<score::Similarity> similarity, similarity_of(options));
  return score_with(samples, options, *similarity);
}

}  // namespace awry::benchmarks::anomreason
