// SPDX-License-Identifier: Apache-2.0
// From a judge's verdicts on pairs to true and false positives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace awry::benchmarks::cave {

enum class PairVerdict : std::uint8_t { kDifferent, kSame, kUnknown };

struct PairVerdicts {
  std::size_t predictions = 0, truths = 0;
  std::vector<PairVerdict> cells;  // prediction by prediction

  PairVerdicts() = default;
  PairVerdicts(std::size_t rows, std::size_t columns)
      : predictions(rows), truths(columns), cells(rows * columns, PairVerdict::kUnknown) {}
  PairVerdict& at(std::size_t prediction, std::size_t truth) { return cells[prediction * truths + truth]; }
  PairVerdict at(std::size_t prediction, std::size_t truth) const {
    return cells[prediction * truths + truth];
  }
  bool complete() const;
};

// A prediction that is the same as a truth which another one already accounts for is a duplicate: it found
// something, so it is no false positive, and found nothing new, so it is no true positive either.
struct Detection {
  std::size_t true_positives = 0, false_positives = 0, false_negatives = 0, duplicates = 0;
  std::vector<std::optional<std::size_t>> found_by;  // for each truth, its prediction
};

// One to one, as many pairs as possible; among equally many, earlier truths are found first, by the earliest
// predictions. Unknown verdicts are read as `unknown_as`. Turning a pair from different to same never lowers
// precision, recall or F1, so the two readings bound what a complete judge could have said.
Detection match(const PairVerdicts& verdicts, PairVerdict unknown_as = PairVerdict::kDifferent);

}  // namespace awry::benchmarks::cave
