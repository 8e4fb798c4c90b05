// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/inspect_collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "awry/imaging/decode.h"
#include "awry/inspectors/forensics/forensics.h"
#include "awry/inspectors/forensics/reuse_search.h"
#include "awry/pipeline/parallel.h"

namespace awry::pipeline {
namespace {

using inspectors::forensics::ReuseCandidate;
using inspectors::forensics::ReuseSearch;

std::vector<ReuseCandidate> propose_pairs(std::span<const Sample> samples, const InspectOptions& options) {
  ReuseSearch search(samples.size());
  Progress progress("indexing", samples.size(), options.progress);
  const std::size_t done = for_each_index(
      samples.size(), {.threads = options.threads, .progress = &progress, .cancel = options.cancel},
      [&](std::size_t i) {
        if (const auto image = imaging::read_image(samples[i].images.front().path)) search.add(i, *image);
      });
  progress.finish();
  if (done < samples.size()) return {};
  return search.candidates();
}

// Where the two come from is kept, since the files of papers are gone when the command ends.
Sample pair_of(const Sample& first, const Sample& second) {
  Sample pair{.id = first.id + " + " + second.id, .images = {first.images.front(), second.images.front()}};
  const auto keep = [&](const char* which, const Sample& sample) {
    pair.attributes[which] = sample.id;
    for (const auto& [name, value] : sample.attributes)
      pair.attributes[fmt::format("{}_{}", which, name)] = value;
  };
  keep("first", first);
  keep("second", second);
  return pair;
}

double alarms_of(const InspectedImage& pair) {
  return pair.inspection.findings.front().false_alarms.value_or(1);
}

}  // namespace

ReusedPanels find_reused_panels(std::span<const Sample> samples, const InspectOptions& options) {
  ReusedPanels reused;
  const std::vector<ReuseCandidate> candidates = propose_pairs(samples, options);
  reused.proposed = candidates.size();
  if (candidates.empty()) return reused;
  const auto inspector = inspectors::forensics::make_forensic_inspector();
  std::vector<std::optional<InspectedImage>> seen(candidates.size());
  Progress progress("comparing", candidates.size(), options.progress);
  for_each_index(
      candidates.size(), {.threads = options.threads, .progress = &progress, .cancel = options.cancel},
      [&](std::size_t i) {
        InspectedImage pair{.sample = pair_of(samples[candidates[i].first], samples[candidates[i].second])};
        constexpr int both[] = {0, 1};
        if (auto inspection = inspect_or_recall(*inspector, pair.sample, both, options.journal)) {
          pair.inspection = std::move(*inspection);
          seen[i] = std::move(pair);
        }
      });
  progress.finish();
  for (auto& pair : seen) {
    if (!pair) continue;
    reused.undecided += pair->inspection.undecided.empty() ? 0 : 1;
    if (!pair->inspection.findings.empty()) reused.pairs.push_back(std::move(*pair));
  }
  std::ranges::stable_sort(reused.pairs, {}, alarms_of);
  return reused;
}

}  // namespace awry::pipeline
