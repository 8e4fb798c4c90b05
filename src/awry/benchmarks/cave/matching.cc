// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/cave/matching.h"

#include <algorithm>

namespace awry::benchmarks::cave {
namespace {

// Augmenting paths (Kuhn). Images have few anomalies, so nothing faster is needed.
class Matcher {
 public:
  Matcher(const PairVerdicts& verdicts, PairVerdict unknown_as)
      : verdicts_(verdicts), unknown_as_(unknown_as), truth_of_(verdicts.predictions) {}

  bool same(std::size_t prediction, std::size_t truth) const {
    const PairVerdict verdict = verdicts_.at(prediction, truth);
    return (verdict == PairVerdict::kUnknown ? unknown_as_ : verdict) == PairVerdict::kSame;
  }

  void run() {
    for (std::size_t truth = 0; truth < verdicts_.truths; ++truth) {
      tried_.assign(verdicts_.predictions, false);
      find_prediction_for(truth);
    }
  }

  const std::vector<std::optional<std::size_t>>& truth_of() const { return truth_of_; }

 private:
  bool find_prediction_for(std::size_t truth) {
    for (std::size_t prediction = 0; prediction < verdicts_.predictions; ++prediction) {
      if (tried_[prediction] || !same(prediction, truth)) continue;
      tried_[prediction] = true;
      if (!truth_of_[prediction] || find_prediction_for(*truth_of_[prediction])) {
        truth_of_[prediction] = truth;
        return true;
      }
    }
    return false;
  }

  const PairVerdicts& verdicts_;
  PairVerdict unknown_as_;
  std::vector<std::optional<std::size_t>> truth_of_;
  std::vector<bool> tried_;
};

}  // namespace

bool PairVerdicts::complete() const {
  return std::find(cells.begin(), cells.end(), PairVerdict::kUnknown) == cells.end();
}

Detection match(const PairVerdicts& verdicts, PairVerdict unknown_as) {
  Matcher matcher(verdicts, unknown_as);
  matcher.run();
  Detection detection;
  detection.found_by.resize(verdicts.truths);
  for (std::size_t prediction = 0; prediction < verdicts.predictions; ++prediction) {
    if (const auto truth = matcher.truth_of()[prediction]) {
      ++detection.true_positives;
      detection.found_by[*truth] = prediction;
      continue;
    }
    bool found_something = false;
    for (std::size_t truth = 0; truth < verdicts.truths; ++truth) {
      found_something = found_something || matcher.same(prediction, truth);
    }
    ++(found_something ? detection.duplicates : detection.false_positives);
  }
  detection.false_negatives = verdicts.truths - detection.true_positives;
  return detection;
}

}  // namespace awry::benchmarks::cave
