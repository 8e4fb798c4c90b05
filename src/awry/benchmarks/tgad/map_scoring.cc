// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/map_scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "awry/benchmarks/find_metric.h"
#include "awry/benchmarks/tgad/part_scoring.h"
#include "awry/benchmarks/tgad/prompt_scoring.h"
#include "awry/score/roc.h"

namespace awry::benchmarks::tgad {
namespace {

constexpr std::array<std::string_view, 4> kKeys = {"i_auroc", "p_auroc", "au_pro", "au_spro"};

void add_pixel_metric(const MetricContext& context, const std::string& group, std::string_view key,
                      std::optional<double> value, std::uint64_t count) {
  if (!value) return;
  context.summary.metrics.push_back({.key = std::string(key),
                                     .group = group,
                                     .value = *value,
                                     .count = static_cast<std::size_t>(count),
                                     .signature = map_signature(key, context).text()});
}

void add_image_scores(const PairedMaps& maps, const score::MapScores& scores, const MetricContext& context) {
  for (std::size_t i = 0; i < maps.pairs.size(); ++i) {
    context.summary.scores.push_back({.sample_id = context.prefix + maps.pairs[i].truth.id,
                                      .metric = "tgad/image_score",
                                      .value = scores.image_scores[i]});
  }
}

// The kinds of defects and where their images are among the pairs.
using Kinds = std::map<std::string, std::vector<std::size_t>>;

Kinds kinds_of(const PairedMaps& maps) {
  Kinds kinds;
  for (std::size_t i = 0; i < maps.pairs.size(); ++i) kinds[maps.pairs[i].truth.defect].push_back(i);
  return kinds;
}

Result<void> add_kinds(const PairedMaps& maps, const score::MapScores& all, const MetricContext& context) {
  Kinds kinds = kinds_of(maps);
  const std::vector<std::size_t> good = kinds[std::string(kGood)];
  kinds.erase(std::string(kGood));
  if (good.empty() || kinds.empty()) return {};
  std::vector<std::string> groups;
  for (const auto& [kind, members] : kinds) {
    groups.push_back(fmt::format("{}defect:{}", context.prefix, kind));
    if (context.options.per_error) {
      std::vector<MapUse> uses;
      for (const std::size_t pair : members) uses.push_back({.pair = pair, .anomalous = true});
      for (const std::size_t pair : good) uses.push_back({.pair = pair});
      FolderMaps source(maps, std::move(uses));
      AWRY_TRY_ASSIGN(const score::MapScores scores,
                      score_maps(source, {.pro_limit = context.options.pro_limit}));
      AWRY_TRY(add_map_metrics(context, groups.back(), scores, "good"));
    } else {
      std::vector<double> scores;
      std::vector<std::uint8_t> labels;
      for (const std::size_t pair : members) scores.push_back(all.image_scores[pair]), labels.push_back(1);
      for (const std::size_t pair : good) scores.push_back(all.image_scores[pair]), labels.push_back(0);
      AWRY_TRY(add_image_metric(context, groups.back(), scores, labels, "good"));
    }
  }
  for (const std::string_view key : kKeys) {
    add_mean(context, context.prefix + "per_error", key, groups, "defect-types");
  }
  return {};
}

Result<void> add_class(const PairedMaps& maps, const std::string& group, const MetricContext& context) {
  FolderMaps source(maps);
  AWRY_TRY_ASSIGN(const score::MapScores scores,
                  score_maps(source, {.pro_limit = context.options.pro_limit}));
  AWRY_TRY(add_map_metrics(context, group, scores, "good"));
  Summary& summary = context.summary;
  for (const std::string& note : scores.notes) {
    summary.notes.push_back(fmt::format("{}: {}", maps.set.name, note));
  }
  summary.notes.insert(summary.notes.end(), maps.set.notes.begin(), maps.set.notes.end());
  summary.notes.insert(summary.notes.end(), maps.notes.begin(), maps.notes.end());
  summary.outcomes.add(Outcome::kAnswered, maps.pairs.size());
  if (source.empty_masks() > 0) {
    summary.notes.push_back(fmt::format(
        "{}: {} defective images have a mask that marks nothing; they count as anomalous, without regions",
        maps.set.name, source.empty_masks()));
  }
  add_image_scores(maps, scores, context);
  return add_kinds(maps, scores, context);
}

}  // namespace

score::Signature map_signature(std::string_view key, const MetricContext& context) {
  score::Signature signature(fmt::format("tgad/{}", key));
  signature.set("tree", name_of(context.tree));
  if (key == "i_auroc") return signature.set("image", "max-of-map").set("ties", "half");
  signature.set("ties", "merged");
  if (key == "au_pro") signature.set("regions", "8-connected").set("limit", context.options.pro_limit);
  if (key == "au_spro") signature.set("regions", "saturated").set("limit", context.options.pro_limit);
  return signature;
}

Result<void> add_image_metric(const MetricContext& context, const std::string& group,
                              std::span<const double> image_scores, std::span<const std::uint8_t> labels,
                              std::string_view negatives) {
  const auto area = score::auroc(image_scores, labels);
  if (!area) return {};  // the notes of score_maps say why
  Metric metric{.key = "i_auroc", .group = group, .value = *area, .count = image_scores.size()};
  const MapScoringOptions& options = context.options;
  if (options.resamples > 0) {
    const auto estimate = score::bootstrap_auroc(
        image_scores, labels, {.resamples = options.resamples, .seed = options.seed, .null_value = 0.5});
    if (estimate) metric.interval = estimate->interval;
  }
  metric.signature = map_signature("i_auroc", context).with("negatives", negatives).text();
  context.summary.metrics.push_back(std::move(metric));
  return {};
}

Result<void> add_map_metrics(const MetricContext& context, const std::string& group,
                             const score::MapScores& scores, std::string_view negatives) {
  AWRY_TRY(add_image_metric(context, group, scores.image_scores, scores.image_labels, negatives));
  add_pixel_metric(context, group, "p_auroc", scores.p_auroc, scores.normal_pixels + scores.anomalous_pixels);
  add_pixel_metric(context, group, "au_pro", scores.au_pro, scores.regions);
  add_pixel_metric(context, group, "au_spro", scores.au_spro, scores.marked_defects);
  return {};
}

void add_mean(const MetricContext& context, const std::string& group, std::string_view key,
              std::span<const std::string> over, std::string_view averaged) {
  Metric mean{.key = std::string(key), .group = group};
  for (const std::string& part : over) {
    const Metric* metric = find_metric(context.summary, part, key);
    if (metric == nullptr) continue;
    mean.value += metric->value;
    ++mean.count;
  }
  if (mean.count == 0) return;
  mean.value /= static_cast<double>(mean.count);
  mean.signature = map_signature(key, context).with("mean", averaged).text();
  context.summary.metrics.push_back(std::move(mean));
}

Result<Summary> score_map_folder(const std::filesystem::path& truth_folder,
                                 const std::filesystem::path& maps_folder, const MapScoringOptions& options) {
  AWRY_TRY(check_map_metrics_first(options));
  Summary summary{.protocol = "tgad"};
  if (!options.tags.empty()) {
    if (!options.reworded.empty() || !options.without_noun.empty()) {
      return fail({.kind = ErrorKind::kUsage,
                   .what = "cannot score parts and prompts at once",
                   .why = "component tags were given as well as maps by other prompts",
                   .hint = "Give one of the two."});
    }
    AWRY_TRY(score_parts(truth_folder, maps_folder, options, summary));
    return summary;
  }
  AWRY_TRY_ASSIGN(const std::vector<PairedMaps> classes, find_map_pairs(truth_folder, maps_folder));
  const bool several = classes.size() > 1;
  std::vector<std::string> groups;
  for (const PairedMaps& maps : classes) {
    groups.push_back(several ? maps.set.name : "");
    const MetricContext context{.summary = summary,
                                .options = options,
                                .prefix = several ? maps.set.name + "/" : "",
                                .tree = maps.set.kind};
    AWRY_TRY(add_class(maps, groups.back(), context));
  }
  if (several) {
    const MetricContext context{.summary = summary, .options = options, .tree = classes.front().set.kind};
    for (const std::string_view key : kKeys) add_mean(context, "", key, groups, "classes");
    // What is asked for most is shown first.
    std::stable_partition(summary.metrics.begin(), summary.metrics.end(),
                          [](const Metric& metric) { return metric.group.empty(); });
  }
  AWRY_TRY(score_prompts(truth_folder, options, summary));
  summary.notes.push_back(
      "p_auroc and au_pro have no interval: they rank all pixels of all images together, so a bootstrap over "
      "images would have to rank them anew for every resample");
  return summary;
}

}  // namespace awry::benchmarks::tgad
