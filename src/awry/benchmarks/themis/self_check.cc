// SPDX-License-Identifier: Apache-2.0
#include "awry/score/self_check.h"

#include <algorithm>

#include "awry/benchmarks/themis/scoring.h"

namespace awry::benchmarks::themis {
namespace {

Sample tiny(std::string id, std::string_view kind, std::vector<Finding> truth) {
  Sample sample{.id = std::move(id), .has_truth = true, .truth = std::move(truth)};
  sample.attributes[kTaskAttribute] = kind;
  return sample;
}

std::vector<Sample> tiny_dataset() {
  return {
      tiny("splicing", kForgery, {{.where = BlockSet{2, 3, {1, 2, 5}}, .type = "splicing"}}),
      tiny("copy_move", kForgery, {{.where = BlockSet{2, 2, {1, 4}}, .type = "copy_move"}}),
      tiny("generated", kForgery, {{.type = "ai_generated"}}),
      tiny("edited", kForgery, {{.where = BlockSet{1, 3, {3}}, .type = "ai_generated"}}),
      tiny("authentic", kForgery, {}),
      tiny("pair", kDuplication,
           {{.where = Pair{.operations = {"flipped", "parameter-modified"}}, .type = "duplication"}}),
      tiny("unrelated", kDuplication, {}),
      tiny("number", kConsistency,
           {{.where = TextSpan{"caption", "a rise of 20%"}, .type = "numerical_inconsistency"},
            {.where = TextSpan{"caption", "in 12 mice"}, .type = "numerical_inconsistency"}}),
      tiny("trend", kConsistency, {{.where = TextSpan{"caption", "it fell"}, .type = "trend_inconsistency"}}),
      tiny("consistent", kConsistency, {}),
  };
}

// The letters that the truth of a tiny sample amounts to.
std::vector<std::string> right_choices(const Sample& sample, const Task& task) {
  std::vector<std::string> names;
  for (const Finding& finding : sample.truth) {
    const Pair* pair = std::get_if<Pair>(&finding.where);
    names = pair != nullptr ? pair->operations : std::vector<std::string>{finding.type};
  }
  std::vector<std::string> choices;
  for (const Option& option : task.options) {
    if (std::find(names.begin(), names.end(), option.type) != names.end())
      choices.emplace_back(1, option.letter);
  }
  if (choices.empty()) choices.emplace_back(1, task.nothing);
  return choices;
}

enum class Prediction { kPerfect, kEmpty, kPermuted };

AnsweredSample answer(Sample sample, Prediction prediction) {
  const Task& task = *task_of_kind(attribute(sample, kTaskAttribute));
  Answer reply{.choices = right_choices(sample, task), .findings = sample.truth};
  if (prediction == Prediction::kEmpty) reply = {.outcome = Outcome::kUnparsable};
  if (prediction == Prediction::kPermuted) {
    std::reverse(reply.choices.begin(), reply.choices.end());
    std::reverse(reply.findings.begin(), reply.findings.end());
    for (Finding& finding : reply.findings) {
      if (BlockSet* set = std::get_if<BlockSet>(&finding.where))
        std::reverse(set->blocks.begin(), set->blocks.end());
    }
  }
  return {.sample = std::move(sample),
          .questions = {{.kind = std::string(task.kind)}},
          .answers = {std::move(reply)}};
}

Result<std::vector<Metric>> metrics_of(Prediction prediction, Options options) {
  options.resamples = 0;
  std::vector<AnsweredSample> answered;
  for (Sample& sample : tiny_dataset()) answered.push_back(answer(std::move(sample), prediction));
  if (prediction == Prediction::kPermuted) std::reverse(answered.begin(), answered.end());
  std::vector<Item> items;
  for (const AnsweredSample& one : answered) {
    AWRY_TRY_ASSIGN(const std::optional<Item> item, compare(one));
    items.push_back(*item);
  }
  Summary summary;
  AWRY_TRY(summarise(items, options, summary));
  return std::move(summary.metrics);
}

}  // namespace

Result<void> check_metrics_first(const Options& options) {
  AWRY_TRY_ASSIGN(const std::vector<Metric> perfect, metrics_of(Prediction::kPerfect, options));
  AWRY_TRY_ASSIGN(const std::vector<Metric> empty, metrics_of(Prediction::kEmpty, options));
  AWRY_TRY_ASSIGN(const std::vector<Metric> permuted, metrics_of(Prediction::kPermuted, options));
  if (perfect.size() != empty.size() || perfect.size() != permuted.size()) {
    return fail({.what = "the metrics of THEMIS failed their self-check",
                 .why = "their number depends on the answers"});
  }
  for (std::size_t i = 0; i < perfect.size(); ++i) {
    const bool alarms = perfect[i].key == "false_alarm_rate";  // none in a perfect answer, nor in none at all
    AWRY_TRY(score::check_metric({.metric = perfect[i].group + "/" + perfect[i].key,
                                  .perfect = [&] { return perfect[i].value; },
                                  .empty = [&] { return empty[i].value; },
                                  .permuted = [&] { return permuted[i].value; },
                                  .best = alarms ? 0.0 : 1.0}));
  }
  return {};
}

}  // namespace awry::benchmarks::themis
