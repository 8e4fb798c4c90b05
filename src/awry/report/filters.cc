// SPDX-License-Identifier: Apache-2.0
#include "awry/report/filters.h"

#include <cmath>
#include <set>

namespace awry::report {
namespace {

constexpr std::size_t kMostAttributeValues = 24;  // more are names, not groups

std::set<std::string> labels_of(const Item& item) {
  std::set<std::string> labels;
  for (const Question& question : item.questions) {
    if (!question.kind.empty()) labels.insert("task: " + question.kind);
  }
  for (const Finding& finding : item.sample.truth) {
    if (!finding.type.empty()) labels.insert("truth: " + finding.type);
  }
  if (item.sample.has_truth && item.sample.truth.empty()) labels.insert("truth: nothing wrong");
  for (const auto& [name, value] : item.sample.attributes) labels.insert(name + ": " + value);
  return labels;
}

}  // namespace

Groups collect_groups(const std::vector<Item>& items) {
  std::map<std::string, std::set<std::string>> attribute_values;
  for (const Item& item : items) {
    for (const auto& [name, value] : item.sample.attributes)
      attribute_values[name].insert(name + ": " + value);
  }
  std::set<std::string> crowded;
  for (const auto& [name, values] : attribute_values) {
    if (values.size() > kMostAttributeValues) crowded.insert(values.begin(), values.end());
  }
  Groups groups;
  for (const Item& item : items) {
    for (const std::string& label : labels_of(item)) {
      if (!crowded.contains(label)) groups.index.try_emplace(label, 0);
    }
  }
  for (auto& [label, position] : groups.index) {
    position = groups.labels.size();
    groups.labels.push_back(label);
  }
  return groups;
}

std::vector<std::size_t> groups_of(const Item& item, const Groups& groups) {
  std::vector<std::size_t> result;
  for (const std::string& label : labels_of(item)) {
    if (const auto found = groups.index.find(label); found != groups.index.end()) {
      result.push_back(found->second);
    }
  }
  return result;
}

std::map<std::string, SampleScores> scores_by_sample(const Summary& summary) {
  std::set<std::string> without_half;
  for (const Score& score : summary.scores) {
    if (std::isfinite(score.value) && (score.value < 0 || score.value > 1)) without_half.insert(score.metric);
  }
  std::map<std::string, SampleScores> result;
  for (const Score& score : summary.scores) {
    SampleScores& sample = result[score.sample_id];
    sample.scores.push_back(&score);
    if (!std::isfinite(score.value) || without_half.contains(score.metric)) continue;
    if (score.value < 0.5) {
      sample.mark = Mark::kWrong;
    } else if (sample.mark == Mark::kUnscored) {
      sample.mark = Mark::kRight;
    }
  }
  return result;
}

std::vector<Outcome> outcomes_of(const Item& item) {
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < std::max(item.answers.size(), item.replies.size()); ++i) {
    outcomes.push_back(i < item.answers.size() ? item.answers[i].outcome : item.replies[i].outcome);
  }
  return outcomes;
}

}  // namespace awry::report
