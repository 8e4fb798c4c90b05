// SPDX-License-Identifier: Apache-2.0
#include "awry/score/sets.h"

#include <cassert>
#include <map>

namespace awry::score {
namespace {

double ratio(std::size_t part, std::size_t whole, const MatchCounts& counts) {
  if (whole == 0) return counts.predicted == 0 && counts.truth == 0 ? 1.0 : 0.0;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double precision(const MatchCounts& counts) {
  return ratio(counts.correct, counts.predicted, counts);
}

double recall(const MatchCounts& counts) {
  return ratio(counts.correct, counts.truth, counts);
}

double f1(const MatchCounts& counts) {
  return ratio(2 * counts.correct, counts.predicted + counts.truth, counts);
}

double set_f1(const MatchCounts& sets) {
  return f1(sets);
}

bool exact_match(const MatchCounts& sets) {
  return sets.correct == sets.predicted && sets.correct == sets.truth;
}

double subset_partial_credit(const MatchCounts& sets) {
  return sets.correct == sets.predicted ? ratio(sets.predicted, sets.truth, sets) : 0.0;
}

std::vector<ClassF1> count_by_class(std::span<const std::string> predicted,
                                    std::span<const std::string> truth) {
  assert(predicted.size() == truth.size() && "one prediction per item");
  std::map<std::string, MatchCounts> by_label;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    ++by_label[truth[i]].truth;
    if (predicted[i].empty()) continue;
    ++by_label[predicted[i]].predicted;
    if (predicted[i] == truth[i]) ++by_label[truth[i]].correct;
  }
  std::vector<ClassF1> classes;
  for (const auto& [label, counts] : by_label) classes.push_back({label, counts});
  return classes;
}

double macro_f1(std::span<const ClassF1> classes) {
  if (classes.empty()) return 0;
  double sum = 0;
  for (const ClassF1& one : classes) sum += f1(one.counts);
  return sum / static_cast<double>(classes.size());
}

double micro_f1(std::span<const ClassF1> classes) {
  MatchCounts pooled;
  for (const ClassF1& one : classes) pooled += one.counts;
  return classes.empty() ? 0 : f1(pooled);
}

}  // namespace awry::score
