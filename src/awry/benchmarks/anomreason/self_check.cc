// SPDX-License-Identifier: Apache-2.0
#include "awry/score/self_check.h"

#include <algorithm>

#include "awry/benchmarks/anomreason/scoring.h"

namespace awry::benchmarks::anomreason {
namespace {

Finding finding(std::string phenomenon, std::string reasoning, double severity) {
  return {.phenomenon = std::move(phenomenon), .reasoning = std::move(reasoning), .severity = severity};
}

Sample tiny(std::string id, std::string_view source, std::vector<Finding> truth) {
  Sample sample{.id = std::move(id), .has_truth = true, .truth = std::move(truth)};
  sample.attributes[kSourceAttribute] = source;
  return sample;
}

// Every image has anomalies: what two empty sides are worth differs between the variants.
std::vector<Sample> tiny_dataset() {
  return {tiny("hand.png", kGenerated,
               {finding("six fingers on the left hand", "people have five", 5),
                finding("the shadow falls to the left", "the lamp stands on the left as well", 30),
                finding("a cup hangs above the table", "nothing holds it against gravity", 10)}),
          tiny("street.png", kGenerated, {finding("a sign without letters", "signs carry writing", 60)}),
          tiny("garden.png", kReal,
               {finding("roses in snow", "roses flower in summer", 80),
                finding("a hose through a wall", "walls are solid", 20)})};
}

enum class Prediction { kPerfect, kEmpty, kPermuted };

AnsweredSample answer(Sample sample, Prediction prediction) {
  const bool right = prediction != Prediction::kEmpty;
  const std::string source(attribute(sample, kSourceAttribute));
  Answer reply{.choices = {right ? source : std::string(source == kReal ? kGenerated : kReal)},
               .findings = right ? sample.truth : std::vector<Finding>()};
  if (prediction == Prediction::kPermuted) std::reverse(reply.findings.begin(), reply.findings.end());
  return {.sample = std::move(sample),
          .questions = {{.kind = std::string(kDeepfake)}},
          .answers = {std::move(reply)}};
}

Result<std::vector<Metric>> metrics_of(Prediction prediction, Options options) {
  options.resamples = 0;
  std::vector<AnsweredSample> answered;
  for (Sample& sample : tiny_dataset()) answered.push_back(answer(std::move(sample), prediction));
  if (prediction == Prediction::kPermuted) std::reverse(answered.begin(), answered.end());
  score::LexicalSimilarity similarity;
  AWRY_TRY_ASSIGN(const std::vector<Item> items, compare(answered, options, similarity));
  Summary summary;
  AWRY_TRY(summarise(items, options, similarity.signature(), summary));
  return std::move(summary.metrics);
}

}  // namespace

Result<void> check_metrics_first(const Options& options) {
  AWRY_TRY_ASSIGN(const std::vector<Metric> perfect, metrics_of(Prediction::kPerfect, options));
  AWRY_TRY_ASSIGN(const std::vector<Metric> empty, metrics_of(Prediction::kEmpty, options));
  AWRY_TRY_ASSIGN(const std::vector<Metric> permuted, metrics_of(Prediction::kPermuted, options));
  if (perfect.empty() || perfect.size() != empty.size() || perfect.size() != permuted.size()) {
    return fail({.what = "the metrics of AnomReason failed their self-check",
                 .why = "their number depends on the answers"});
  }
  for (std::size_t i = 0; i < perfect.size(); ++i) {
    AWRY_TRY(score::check_metric({.metric = perfect[i].group + "/" + perfect[i].key,
                                  .perfect = [&] { return perfect[i].value; },
                                  .empty = [&] { return empty[i].value; },
                                  .permuted = [&] { return permuted[i].value; }}));
  }
  return {};
}

}  // namespace awry::benchmarks::anomreason
