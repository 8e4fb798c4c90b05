// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include "awry/base/text.h"
#include "awry/score/direction.h"

namespace awry::cli {

namespace {

using ScoresBySample = std::map<std::string, double>;

struct ScoresByMetric {
  std::vector<std::string> order;  // as first met
  std::map<std::string, ScoresBySample> metrics;
  std::set<std::string> samples;
  std::size_t not_numbers = 0;
};

Result<ScoresByMetric> group(const Summary& summary, std::string_view which) {
  ScoresByMetric grouped;
  for (const Score& score : summary.scores) {
    grouped.samples.insert(score.sample_id);
    const auto [metric, is_new_metric] = grouped.metrics.try_emplace(score.metric);
    if (is_new_metric) grouped.order.push_back(score.metric);
    if (!std::isfinite(score.value)) {
      ++grouped.not_numbers;
      continue;
    }
    if (!metric->second.emplace(score.sample_id, score.value).second) {
      return fail({.what = "cannot compare runs",
                   .why = fmt::format("the {} run has two scores of {} for sample '{}'", which, score.metric,
                                      score.sample_id)});
    }
  }
  return grouped;
}

std::vector<std::string> missing_from(const std::set<std::string>& there, const std::set<std::string>& here) {
  std::vector<std::string> missing;
  std::ranges::set_difference(here, there, std::back_inserter(missing));
  return missing;
}

std::vector<std::string> metrics_missing_from(const ScoresByMetric& there, const ScoresByMetric& here) {
  std::vector<std::string> missing;
  std::ranges::copy_if(here.order, std::back_inserter(missing),
                       [&](const std::string& metric) { return !there.metrics.contains(metric); });
  return missing;
}

struct Paired {
  std::vector<std::string> samples;
  std::vector<double> first, second;
};

Paired pair_up(const ScoresBySample& first, const ScoresBySample& second) {
  Paired paired;
  for (const auto& [sample, value] : first) {
    const auto other = second.find(sample);
    if (other == second.end()) continue;
    paired.samples.push_back(sample);
    paired.first.push_back(value);
    paired.second.push_back(other->second);
  }
  return paired;
}

bool all_zero_or_one(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return value == 0 || value == 1; });
}

double deviation_of(std::span<const double> values) {
  if (values.size() < 2) return 0;
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

Result<MetricComparison> compare_metric(const std::string& metric, const Paired& paired,
                                        const ComparisonOptions& options) {
  MetricComparison result{.metric = metric, .lower_is_better = score::lower_is_better(metric)};
  AWRY_TRY_ASSIGN(result.paired,
                  score::compare_means(paired.first, paired.second,
                                       {.resamples = options.resamples, .seed = options.seed}));
  std::vector<double> differences;
  for (std::size_t i = 0; i < paired.samples.size(); ++i) {
    const double difference = paired.second[i] - paired.first[i];
    differences.push_back(difference);
    const double gain = result.lower_is_better ? -difference : difference;
    ++(gain > 0 ? result.better : gain < 0 ? result.worse : result.same);
  }
  result.detectable = score::minimum_detectable_difference(deviation_of(differences), differences.size());
  if (all_zero_or_one(paired.first) && all_zero_or_one(paired.second)) {
    const std::vector<std::uint8_t> first(paired.first.begin(), paired.first.end()),
        second(paired.second.begin(), paired.second.end());
    AWRY_TRY_ASSIGN(result.mcnemar, score::mcnemar(first, second));
    result.p_value = result.mcnemar->p_value;
  } else {
    AWRY_TRY_ASSIGN(result.p_value, score::sign_flip_test(differences, {.seed = options.seed}));
  }
  return result;
}

void add_items(const std::string& metric, const Paired& paired, std::vector<ItemDifference>& items) {
  for (std::size_t i = 0; i < paired.samples.size(); ++i) {
    if (paired.first[i] == paired.second[i]) continue;
    items.push_back({paired.samples[i], metric, paired.first[i], paired.second[i]});
  }
}

// "cave/ad/f1|judge:m-1|prompt:cot|..."
constexpr std::string_view kJudgeField = "judge:";

std::string without_judge(std::string_view signature) {
  std::string kept;
  for (const std::string_view field : split(signature, '|')) {
    if (!field.starts_with(kJudgeField)) kept.append(field).append("|");
  }
  return kept;
}

std::string judges_in_signatures(const Summary& summary) {
  std::set<std::string> judges;
  for (const Metric& metric : summary.metrics) {
    for (const std::string_view field : split(metric.signature, '|')) {
      if (field.starts_with(kJudgeField)) judges.emplace(field.substr(kJudgeField.size()));
    }
  }
  return fmt::format("{}", fmt::join(judges, "+"));
}

// Without fingerprints: "gpt-4o-2024-11-20 (fp_1, fp_2); other" names two models.
std::string models_named(std::string_view judged_by) {
  std::vector<std::string> names;
  for (const std::string_view one : split(judged_by, ';')) {
    names.emplace_back(trim(one.substr(0, one.find('('))));
  }
  return join(names, "; ");
}

std::string setting(const Run& run, const char* name) {
  const auto found = run.settings.find(name);
  return found == run.settings.end() ? "" : found->second;
}

void correct_for_several(std::vector<MetricComparison>& metrics) {
  std::vector<double> p_values;
  for (const MetricComparison& metric : metrics) p_values.push_back(metric.p_value);
  const std::vector<double> corrected = score::holm(p_values);
  for (std::size_t i = 0; i < metrics.size(); ++i) metrics[i].p_holm = corrected[i];
}

}  // namespace

Result<Comparison> compare_summaries(const Summary& first, const Summary& second,
                                     const ComparisonOptions& options) {
  AWRY_TRY_ASSIGN(const ScoresByMetric a, group(first, "first"));
  AWRY_TRY_ASSIGN(const ScoresByMetric b, group(second, "second"));
  Comparison result{.only_first = missing_from(b.samples, a.samples),
                    .only_second = missing_from(a.samples, b.samples),
                    .metrics_only_first = metrics_missing_from(b, a),
                    .metrics_only_second = metrics_missing_from(a, b),
                    .not_numbers = a.not_numbers + b.not_numbers};
  for (const std::string& metric : a.order) {
    const auto other = b.metrics.find(metric);
    if (other == b.metrics.end()) continue;
    const Paired paired = pair_up(a.metrics.at(metric), other->second);
    if (paired.samples.empty()) continue;
    AWRY_TRY_ASSIGN(auto compared, compare_metric(metric, paired, options));
    result.metrics.push_back(std::move(compared));
    add_items(metric, paired, result.items);
  }
  if (result.metrics.empty()) {
    const bool empty = a.samples.empty() || b.samples.empty();
    return fail(
        {.what = "cannot compare runs",
         .why = fmt::format("they share no sample with a score of the same metric ({} samples in the "
                            "first, {} in the second)",
                            a.samples.size(), b.samples.size()),
         .hint = empty ? "`awry score` keeps the scores of samples in files: --output FILE.json." : ""});
  }
  correct_for_several(result.metrics);
  std::ranges::stable_sort(result.items, std::greater{},
                           [](const ItemDifference& item) { return std::abs(item.difference()); });
  return result;
}

std::vector<std::string> obstacles(const Summary& first, const Summary& second) {
  std::vector<std::string> found;
  if (first.protocol != second.protocol) {
    found.push_back(fmt::format("one is of {}, the other of {}", first.protocol, second.protocol));
    return found;
  }
  for (const Metric& metric : first.metrics) {
    const auto other = std::ranges::find_if(second.metrics, [&](const Metric& each) {
      return each.key == metric.key && each.group == metric.group;
    });
    if (other == second.metrics.end()) continue;
    if (without_judge(other->signature) == without_judge(metric.signature)) continue;
    found.push_back(fmt::format("{}{}{} was computed as {} in one and as {} in the other", metric.group,
                                metric.group.empty() ? "" : "/", metric.key, metric.signature,
                                other->signature));
  }
  return found;
}

std::vector<std::string> judge_obstacles(const StoredRun& first, const StoredRun& second) {
  std::vector<std::string> found;
  const auto compare = [&](const std::string& a, const std::string& b, std::string_view how) {
    if (a == b) return;
    found.push_back(fmt::format("one was judged by {}, the other by {}{}", a.empty() ? "nobody" : a,
                                b.empty() ? "nobody" : b, how));
  };
  compare(setting(first.run, "judge"), setting(second.run, "judge"), "");
  if (!found.empty()) return found;
  compare(models_named(setting(first.run, "judged_by")), models_named(setting(second.run, "judged_by")),
          ", as the endpoint calls itself");
  if (!found.empty()) return found;
  compare(judges_in_signatures(first.summary), judges_in_signatures(second.summary),
          ", as the metrics' signatures say");
  return found;
}

}  // namespace awry::cli
