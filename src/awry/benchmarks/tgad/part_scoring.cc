// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/part_scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "awry/benchmarks/tgad/component_tags.h"
#include "awry/benchmarks/tgad/diagnostics.h"

namespace awry::benchmarks::tgad {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kKeys = {"i_auroc", "p_auroc", "au_pro"};

// The tags of the set's images, in their order.
Result<std::vector<TagSet>> tags_of(const TestSet& set, const TagsByImage& tags, const fs::path& file) {
  const auto refuse = [&](std::string why) {
    return fail({.what = "cannot use component tags", .input = file.string(), .why = std::move(why)});
  };
  std::vector<TagSet> found;
  std::size_t used = 0;
  for (const TestImage& image : set.images) {
    const auto entry = tags.find(image.id);
    const bool tagged = entry != tags.end() && !entry->second.empty();
    used += entry != tags.end() ? 1 : 0;
    if (image.anomalous() && !tagged) {
      return refuse(fmt::format("the defective image '{}' of class '{}' has no tags", image.id, set.name));
    }
    if (!image.anomalous() && tagged) {
      return refuse(fmt::format("the good image '{}' of class '{}' has tags", image.id, set.name));
    }
    found.push_back(tagged ? entry->second : TagSet{});
  }
  if (used < tags.size()) {
    for (const auto& [id, unused] : tags) {
      const auto known = std::ranges::find(set.images, id, &TestImage::id);
      if (known == set.images.end()) {
        return refuse(fmt::format("class '{}' has no test image '{}'", set.name, id));
      }
    }
  }
  return found;
}

fs::path maps_answering(const TagSet& instructed, const fs::path& maps) {
  std::error_code ignored;
  const fs::path own = maps / name_of(instructed);
  return fs::is_directory(own, ignored) ? own : maps;
}

// What reading the maps of one instruction gave: A, N1 and N2 together.
struct PartScores {
  score::MapScores scores;
  std::vector<PartRole> roles;  // of the images that took part
};

Result<PartScores> read_part(const TestSet& set, std::span<const TagSet> tags, const TagSet& instructed,
                             const fs::path& maps, const MapScoringOptions& options) {
  AWRY_TRY_ASSIGN(const PairedMaps paired, find_map_pairs(set, maps_answering(instructed, maps)));
  PartScores part;
  std::vector<MapUse> uses;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const PartRole role = role_of(tags[i], instructed);
    if (role == PartRole::kExcluded) continue;
    part.roles.push_back(role);
    const bool anomalous = role == PartRole::kAnomalous;
    uses.push_back({.pair = i, .anomalous = anomalous, .in_pixel_metrics = anomalous});
  }
  FolderMaps source(paired, std::move(uses));
  AWRY_TRY_ASSIGN(part.scores, score_maps(source, {.pro_limit = options.pro_limit}));
  return part;
}

// EV1 leaves out the irrelevant defects, EV2 takes them as normal.
score::MapScores under(const PartScores& part, bool with_irrelevant) {
  score::MapScores scores = part.scores;
  scores.image_scores.clear();
  scores.image_labels.clear();
  for (std::size_t i = 0; i < part.roles.size(); ++i) {
    if (part.roles[i] == PartRole::kIrrelevantDefect && !with_irrelevant) continue;
    scores.image_scores.push_back(part.scores.image_scores[i]);
    scores.image_labels.push_back(part.scores.image_labels[i]);
  }
  return scores;
}

std::optional<PixelAndImageScores> scores_of(const Summary& summary, const std::string& group) {
  std::map<std::string_view, double> values;
  for (const Metric& metric : summary.metrics) {
    if (metric.group == group) values[metric.key] = metric.value;
  }
  for (const std::string_view key : kKeys) {
    if (!values.contains(key)) return std::nullopt;
  }
  return PixelAndImageScores{
      .i_auroc = values["i_auroc"], .p_auroc = values["p_auroc"], .au_pro = values["au_pro"]};
}

void add_drop(const MetricContext& context, const std::string& group) {
  const auto ev1 = scores_of(context.summary, group + "/ev1"),
             ev2 = scores_of(context.summary, group + "/ev2");
  if (!ev1 || !ev2) return;
  const PixelAndImageScores drop = drop_between(*ev1, *ev2);
  for (const auto& [key, value] : {std::pair("i_auroc", drop.i_auroc), std::pair("p_auroc", drop.p_auroc),
                                   std::pair("au_pro", drop.au_pro)}) {
    context.summary.metrics.push_back(
        {.key = key,
         .group = group + "/drop",
         .value = value,
         .count = 1,
         .signature = map_signature(key, context).with("drop", "ev1-ev2").text()});
  }
}

void add_means(const MetricContext& context, const std::string& group,
               std::span<const std::string> subclasses) {
  for (const std::string_view setting : {"ev1", "ev2"}) {
    std::vector<std::string> over;
    for (const std::string& subclass : subclasses) over.push_back(fmt::format("{}/{}", subclass, setting));
    for (const std::string_view key : kKeys) {
      add_mean(context, fmt::format("{}/{}", group, setting), key, over, "subclasses");
    }
  }
  add_drop(context, group);
  const auto ev1 = scores_of(context.summary, group + "/ev1"),
             ev2 = scores_of(context.summary, group + "/ev2");
  if (!ev1 || !ev2) return;
  const Dissociation dissociation = localization_decision_dissociation(*ev1, *ev2);
  context.summary.metrics.push_back({.key = "dissociation",
                                     .group = group + "/drop",
                                     .value = dissociation.present ? 1.0 : 0.0,
                                     .count = subclasses.size(),
                                     .signature = score::Signature("tgad/localization_decision_dissociation")
                                                      .with("drop", "ev1-ev2")
                                                      .with("unit", "yes=1,no=0")
                                                      .text()});
  context.summary.notes.push_back(fmt::format("{}: {}", group, describe(dissociation)));
}

}  // namespace

Result<void> score_parts(const fs::path& truth_folder, const fs::path& maps_folder,
                         const MapScoringOptions& options, Summary& summary) {
  AWRY_TRY_ASSIGN(const auto tags, read_component_tags(options.tags));
  AWRY_TRY_ASSIGN(const std::vector<TestSet> sets, find_test_sets(truth_folder));
  std::map<std::size_t, std::vector<std::string>> groups_by_parts;
  std::vector<std::string> all_groups;
  std::size_t images = 0;
  for (const TestSet& set : sets) {
    const auto class_tags = tags.find(set.name);
    if (class_tags == tags.end()) {
      summary.notes.push_back(fmt::format("{}: left out, because the tags file does not name it", set.name));
      continue;
    }
    AWRY_TRY_ASSIGN(const std::vector<TagSet> image_tags, tags_of(set, class_tags->second, options.tags));
    images += set.images.size();
    const MetricContext context{.summary = summary,
                                .options = options,
                                .prefix = sets.size() > 1 ? set.name + "/" : "",
                                .tree = set.kind};
    for (const TagSet& instructed : subclasses_of(image_tags)) {
      AWRY_TRY_ASSIGN(const PartScores part, read_part(set, image_tags, instructed, maps_folder, options));
      const std::string group = context.prefix + name_of(instructed);
      AWRY_TRY(add_map_metrics(context, group + "/ev1", under(part, false), "good"));
      AWRY_TRY(add_map_metrics(context, group + "/ev2", under(part, true), "good+irrelevant"));
      add_drop(context, group);
      groups_by_parts[instructed.size()].push_back(group);
      all_groups.push_back(group);
      const PartCounts counts = count_roles(image_tags, instructed);
      summary.notes.push_back(
          fmt::format("{}: {} anomalous, {} good, {} with irrelevant defects, {} excluded", group,
                      counts.anomalous, counts.good, counts.irrelevant, counts.excluded));
    }
  }
  if (all_groups.empty()) {
    return fail({.what = "cannot use component tags",
                 .input = options.tags.string(),
                 .why = fmt::format("it names none of the classes in '{}'", truth_folder.string())});
  }
  const MetricContext context{.summary = summary, .options = options, .tree = sets.front().kind};
  for (const auto& [parts, groups] : groups_by_parts) {
    add_means(context, fmt::format("{}_part{}", parts, parts == 1 ? "" : "s"), groups);
  }
  add_means(context, "parts", all_groups);
  summary.outcomes.add(Outcome::kAnswered, images);
  return {};
}

}  // namespace awry::benchmarks::tgad
