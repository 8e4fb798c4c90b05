// SPDX-License-Identifier: Apache-2.0
#include "awry/score/self_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/benchmarks/cave/board.h"

namespace awry::benchmarks::cave {
namespace {

Finding anomaly(std::string id, std::string type, Box box, double rating) {
  Finding finding{.id = std::move(id), .where = box, .type = std::move(type)};
  for (const std::string_view feature : kFeatures) {
    finding.evidence.push_back({.kind = std::string(feature), .note = "rater 1", .value = rating});
  }
  return finding;
}

std::vector<Sample> tiny_dataset() {
  const ImageRef image{.path = "tiny.png", .width = 100, .height = 100};
  const Box left{0, 0, 40, 20}, right{50, 50, 30, 30};
  std::vector<Sample> samples = {
      {.id = "two",
       .truth = {anomaly("two/truth/1", "absence+textual", left, 1),
                 anomaly("two/truth/2", "relation", right, 5)}},
      {.id = "one", .truth = {anomaly("one/truth/1", "attribute", right, 3)}},
      {.id = "also", .truth = {anomaly("also/truth/1", "presence+uniformity", left, 4)}},
      {.id = "normal"}};
  for (Sample& sample : samples) {
    sample.images = {image};
    sample.has_truth = true;
  }
  return samples;
}

enum class Prediction { kPerfect, kEmpty, kPermuted };

// Each true anomaly described once, and a verdict for every pair.
Answer description(const Sample& sample) {
  Answer answer;
  for (std::size_t p = 0; p < sample.truth.size(); ++p) {
    Finding finding{.id = fmt::format("{}/ad/{}", sample.id, p + 1)};
    for (std::size_t t = 0; t < sample.truth.size(); ++t) {
      finding.evidence.push_back(
          {.kind = kSameAnomaly, .note = sample.truth[t].id, .value = p == t ? 1.0 : 0.0});
    }
    answer.findings.push_back(std::move(finding));
  }
  return answer;
}

Answer about_anomaly(const Finding& truth, std::string_view task) {
  Answer answer{.findings = {{.where = truth.where}}};
  if (task == kExplain) answer.findings[0].evidence = {{.kind = kRightExplanation, .value = 1.0}};
  if (task == kJustify) {
    for (const std::string_view criterion : kCriteria) {
      answer.findings[0].evidence.push_back({.kind = std::string(criterion), .note = "a", .value = 1.0});
    }
  }
  for (const Evidence& evidence : truth.evidence) {
    if (evidence.kind == task) answer.values[std::string(task)] = *evidence.value;
  }
  return answer;
}

AnsweredSample answer(Sample sample, Prediction prediction) {
  AnsweredSample answered;
  for (const std::string_view task : kTasks) {
    if (task == kDescribe) {
      answered.questions.push_back({.kind = std::string(task)});
      answered.answers.push_back(description(sample));
      continue;
    }
    for (std::size_t i = 0; i < sample.truth.size(); ++i) {
      answered.questions.push_back({.kind = std::string(task)});
      answered.questions.back().attributes[kAnomalyAttribute] = fmt::format("{}", i + 1);
      answered.answers.push_back(about_anomaly(sample.truth[i], task));
    }
  }
  if (prediction == Prediction::kEmpty) {
    for (Answer& each : answered.answers) each = {.outcome = Outcome::kUnparsable};
  }
  if (prediction == Prediction::kPermuted) {
    for (Answer& each : answered.answers) std::reverse(each.findings.begin(), each.findings.end());
    std::reverse(answered.questions.begin(), answered.questions.end());
    std::reverse(answered.answers.begin(), answered.answers.end());
  }
  answered.sample = std::move(sample);
  return answered;
}

Result<std::vector<Metric>> metrics_of(Prediction prediction, Options options) {
  options.resamples = 0;
  std::vector<AnsweredSample> answered;
  for (Sample& sample : tiny_dataset()) answered.push_back(answer(std::move(sample), prediction));
  if (prediction == Prediction::kPermuted) std::reverse(answered.begin(), answered.end());
  std::vector<ImageItem> items;
  OutcomeCounts outcomes;
  for (const AnsweredSample& one : answered) {
    AWRY_TRY_ASSIGN(std::optional<ImageItem> item, compare(one, outcomes));
    items.push_back(std::move(*item));
  }
  Summary summary;
  AWRY_TRY(summarise(items, {}, options, summary));
  return std::move(summary.metrics);
}

const Metric* find(const std::vector<Metric>& metrics, const Metric& like) {
  for (const Metric& metric : metrics) {
    if (metric.group == like.group && metric.key == like.key) return &metric;
  }
  return nullptr;
}

// What a metric is where everything is right, and where nothing is answered; nullopt: it does not exist
// there.
struct Expected {
  double best = 1;
  std::optional<double> worst = 0;
};

Expected expected_of(std::string_view key) {
  if (key == "tp") return {4, 0};  // of tiny_dataset()
  if (key == "fn") return {0, 4};
  if (key == "fp" || key == "duplicates" || key == "false_alarm_rate" || key == "similar") return {0, 0};
  if (key == "worse" || key == "under_coverage") return {0, 1};
  if (key == "gap") return {0, std::nullopt};
  if (key == "spearman" || key == "pearson" || key == "ac2") return {1, std::nullopt};
  return {};
}

}  // namespace

Result<void> check_metrics_first(const Options& options) {
  AWRY_TRY_ASSIGN(const std::vector<Metric> perfect, metrics_of(Prediction::kPerfect, options));
  AWRY_TRY_ASSIGN(const std::vector<Metric> empty, metrics_of(Prediction::kEmpty, options));
  AWRY_TRY_ASSIGN(const std::vector<Metric> permuted, metrics_of(Prediction::kPermuted, options));
  const auto refuse = [](std::string why) {
    return fail({.what = "the metrics of CAVE failed their self-check", .why = std::move(why)});
  };
  if (perfect.size() != permuted.size()) return refuse("their number depends on the order of the answers");
  for (const Metric& metric : perfect) {
    const Expected expected = expected_of(metric.key);
    const Metric* reordered = find(permuted, metric);
    const Metric* unanswered = find(empty, metric);
    // Hits and misses trade places: a perfect description has no misses, an empty one no hits.
    const bool of_hits = metric.group.ends_with("/hit") || metric.key == "accuracy_hit";
    if (reordered == nullptr || (unanswered == nullptr && expected.worst && !of_hits)) {
      return refuse(fmt::format("{}/{} is not always there", metric.group, metric.key));
    }
    score::SelfCheck check{.metric = metric.group + "/" + metric.key,
                           .perfect = [&] { return metric.value; },
                           .permuted = [&] { return reordered->value; },
                           .best = expected.best,
                           .worst = expected.worst.value_or(0)};
    if (unanswered != nullptr && expected.worst) check.empty = [&] { return unanswered->value; };
    AWRY_TRY(score::check_metric(check));
  }
  return {};
}

}  // namespace awry::benchmarks::cave
