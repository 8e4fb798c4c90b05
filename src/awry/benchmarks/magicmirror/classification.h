// SPDX-License-Identifier: Apache-2.0
// Precision, recall and F1 of every label, and their averages, from pairs of label sets.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "awry/base/result.h"
#include "awry/benchmarks/magicmirror/kinds.h"
#include "awry/benchmarks/magicmirror/labels.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"
#include "awry/records/outcome.h"
#include "awry/score/sets.h"

namespace awry::benchmarks::magicmirror {

// Images with their labels and what was said of them. Everything scoring needs is in the counts.
class LabelledImages {
 public:
  // nullopt: no verdict.
  void add(LabelSet truth, std::optional<LabelSet> predicted);

  std::size_t size() const { return kinds_.units(); }
  std::size_t unanswered() const { return unanswered_; }
  const Kinds& kinds() const { return kinds_; }

  struct Kind {
    LabelSet truth;
    std::optional<LabelSet> predicted;
  };
  static Kind kind_of(std::uint64_t kind);

 private:
  Kinds kinds_;
  std::size_t unanswered_ = 0;
};

struct PrecisionRecall {
  double precision = 0, recall = 0, f1 = 0;
};
// Undefined (NaN) where the label occurs neither in the truth nor among the predictions. Nothing predicted
// where there was something to find is precision 0, as is recall where there was nothing to find.
PrecisionRecall precision_recall(const score::MatchCounts& counts);
// The mean of each, over the labels for which it is defined.
PrecisionRecall macro_average(std::span<const PrecisionRecall> labels);

// Every metric with count, interval and the range that missing verdicts leave open. `summary` keeps the rest.
Result<void> summarise(const LabelledImages& images, const Options& options, Summary& summary);

// All metrics on tiny made-up labels found perfectly, not at all, and perfectly in another order.
Result<void> check_classification(const Options& options);

}  // namespace awry::benchmarks::magicmirror
