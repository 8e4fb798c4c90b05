// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/prompt_scoring.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "awry/benchmarks/find_metric.h"
#include "awry/benchmarks/tgad/diagnostics.h"

namespace awry::benchmarks::tgad {
namespace {

namespace fs = std::filesystem;

// "maps/minimal/" is called minimal.
std::string name_of_folder(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

// I-AUROC under another prompt, which must be defined wherever that of the reference is.
Result<double> score_prompt(const fs::path& truth, const fs::path& maps, const MapScoringOptions& options,
                            Summary& summary) {
  AWRY_TRY_ASSIGN(const Summary other,
                  score_map_folder(truth, maps, {.pro_limit = options.pro_limit, .resamples = 0}));
  const std::string group = fmt::format("prompt/{}", name_of_folder(maps));
  if (find_metric(summary, group, "i_auroc") != nullptr) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot tell prompts apart",
                 .input = maps.string(),
                 .why = "another folder of maps has the same name"});
  }
  for (const std::string_view key : {"i_auroc", "p_auroc", "au_pro"}) {
    const Metric* metric = find_metric(other, "", key);
    if (metric == nullptr) continue;
    summary.metrics.push_back(*metric);
    summary.metrics.back().group = group;
  }
  const Metric* decision = find_metric(other, "", "i_auroc");
  if (decision != nullptr) return decision->value;
  return fail({.what = "cannot compare prompts", .input = maps.string(), .why = "I-AUROC is undefined"});
}

}  // namespace

Result<void> score_prompts(const fs::path& truth_folder, const MapScoringOptions& options, Summary& summary) {
  if (options.reworded.empty() && options.without_noun.empty()) return {};
  const Metric* reference = find_metric(summary, "", "i_auroc");
  if (reference == nullptr) {
    return fail({.what = "cannot compare prompts",
                 .input = truth_folder.string(),
                 .why = "I-AUROC is undefined: the test set needs good images and defective ones"});
  }
  std::vector<double> with_noun = {reference->value};
  const std::size_t images = reference->count;
  for (const fs::path& maps : options.reworded) {
    AWRY_TRY_ASSIGN(const double decision, score_prompt(truth_folder, maps, options, summary));
    with_noun.push_back(decision);
  }
  double nameless = with_noun.front();
  if (!options.without_noun.empty()) {
    AWRY_TRY_ASSIGN(nameless, score_prompt(truth_folder, options.without_noun, options, summary));
  }
  const AnchorCollapse collapse = object_anchor_collapse(with_noun, nameless);
  const auto push = [&](std::string_view key, double value, std::string_view unit) {
    score::Signature signature(fmt::format("tgad/object_anchor_collapse/{}", key));
    signature.set("of", "i_auroc").set("prompts_with_noun", static_cast<int>(with_noun.size()));
    if (!unit.empty()) signature.set("unit", unit);
    summary.metrics.push_back({.key = std::string(key),
                               .group = "object_anchor_collapse",
                               .value = value,
                               .count = images,
                               .signature = signature.text()});
  };
  push("with_noun_spread", collapse.with_noun_spread, "");
  if (options.without_noun.empty()) return {};
  push("without_noun_drop", collapse.without_noun_drop, "");
  push("present", collapse.present ? 1 : 0, "yes=1,no=0");
  summary.notes.push_back(describe(collapse));
  return {};
}

}  // namespace awry::benchmarks::tgad
