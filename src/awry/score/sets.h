// SPDX-License-Identifier: Apache-2.0
// Comparing what was chosen with what is true: sets of labels, and precision, recall and F1 from counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace awry::score {

// How many were predicted, how many are true, and how many of the predicted are true.
struct MatchCounts {
  std::size_t predicted = 0, truth = 0, correct = 0;

  MatchCounts& operator+=(const MatchCounts& other) {
    predicted += other.predicted, truth += other.truth, correct += other.correct;
    return *this;
  }
  bool operator==(const MatchCounts&) const = default;
};

// Nothing predicted and nothing true is full marks; nothing on one side only is 0.
double precision(const MatchCounts& counts);
double recall(const MatchCounts& counts);
double f1(const MatchCounts& counts);  // 2 correct / (predicted + truth)

// Sorted, each value once.
template <class T>
std::vector<T> distinct(std::span<const T> values) {
  std::vector<T> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

// Both sorted. Equal values are paired one to one, so that this counts multisets too.
template <class T>
MatchCounts count_common(const std::vector<T>& predicted, const std::vector<T>& truth) {
  MatchCounts counts{.predicted = predicted.size(), .truth = truth.size()};
  for (auto p = predicted.begin(), t = truth.begin(); p != predicted.end() && t != truth.end();) {
    if (*p < *t) {
      ++p;
    } else if (*t < *p) {
      ++t;
    } else {
      ++counts.correct, ++p, ++t;
    }
  }
  return counts;
}

template <class T>
MatchCounts compare_sets(std::span<const T> predicted, std::span<const T> truth) {
  return count_common(distinct(predicted), distinct(truth));
}

double set_f1(const MatchCounts& sets);
bool exact_match(const MatchCounts& sets);

// Subset partial credit: |predicted| / |truth| as long as nothing predicted is wrong, else 0.
double subset_partial_credit(const MatchCounts& sets);

// One F1 per class, in the order of the classes first met when sorted.
struct ClassF1 {
  std::string label;
  MatchCounts counts;
};

// Single-label classification. An empty prediction means "no answer": it is nobody's false positive, but
// the true class misses it. The classes are all labels that occur in the truth or among the predictions,
// so an option that was chosen but is never true costs the macro average a class of F1 0.
std::vector<ClassF1> count_by_class(std::span<const std::string> predicted,
                                    std::span<const std::string> truth);
double macro_f1(std::span<const ClassF1> classes);  // 0 without classes
double micro_f1(std::span<const ClassF1> classes);

}  // namespace awry::score
