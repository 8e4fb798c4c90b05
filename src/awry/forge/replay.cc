// SPDX-License-Identifier: Apache-2.0
// From the options in a set's metadata to the same set again.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/base/json.h"
#include "awry/forge/anomaly_set.h"
#include "awry/forge/generation_archive.h"
#include "awry/forge/selection.h"
#include "awry/forge/set_folder.h"
#include "awry/forge/source_pool_json.h"
#include "awry/forge/themis_plans.h"
#include "awry/forge/themis_set.h"

namespace awry::forge {
namespace {

namespace fs = std::filesystem;

ThemisSetOptions themis_options_from(const Json& json) {
  ThemisSetOptions options;
  options.seed = json.at("seed").get<std::uint64_t>();
  for (const CategoryOption& option : category_options())
    options.*option.count = json.value(std::string(option.name), 0);
  options.panel_side = json.at("panel_side").get<int>();
  options.kinds.clear();
  for (const Json& name : json.at("kinds")) {
    if (const auto kind = panel_kind_named(name.get<std::string>())) options.kinds.push_back(*kind);
  }
  options.duplications = json.value("duplications", std::vector<std::string>());
  options.released_mix = json.value("released_mix", false);
  options.strict_quality = json.value("strict_quality", false);
  options.datasheet = json.value("datasheet", false);
  return options;
}

// The inspector of a set that was selected, as its metadata remember it.
Selection selection_from(const Json& json, const Json& there) {
  const auto keep = keep_named(json.at("keep").get<std::string>());
  Selection selection{.keep = keep.value_or(Keep::kBoth),
                      .inspector = json.at("inspector").get<std::string>(),
                      .max_candidates = json.at("max_candidates").get<int>()};
  std::map<std::string, std::vector<std::optional<bool>>> verdicts;
  for (const Json* list :
       {&there.at("items"), there.contains("left_out") ? &there.at("left_out") : nullptr}) {
    if (list == nullptr) continue;
    for (const Json& item : *list) {
      auto& own = verdicts[item.at("question_id").get<std::string>()];
      for (const Json& found : item.value("inspector_found", Json::array()))
        own.push_back(found.is_null() ? std::nullopt : std::optional(found.get<bool>()));
    }
  }
  selection.finds = [verdicts = std::move(verdicts)](const ThemisItem& item,
                                                     int candidate) -> Result<std::optional<bool>> {
    const auto own = verdicts.find(item.question_id);
    if (own == verdicts.end() || static_cast<std::size_t>(candidate) >= own->second.size()) {
      return fail({.what = "cannot replay",
                   .input = item.question_id,
                   .why = "the metadata do not say what the inspector said of it"});
    }
    return own->second[static_cast<std::size_t>(candidate)];
  };
  return selection;
}

AnomalySetOptions anomaly_options_from(const Json& json, AnomalySubject subject) {
  return {.subject = subject,
          .seed = json.at("seed").get<std::uint64_t>(),
          .good_training = json.at("good_training").get<int>(),
          .good_test = json.at("good_test").get<int>(),
          .defective = json.at("defective").get<int>(),
          .width = json.at("width").get<int>(),
          .datasheet = json.value("datasheet", false)};
}

tl::unexpected<Error> refuse(const fs::path& metadata, std::string why, std::string hint = "") {
  return fail(
      {.what = "cannot replay", .input = metadata.string(), .why = std::move(why), .hint = std::move(hint)});
}

// Every file the first set had, against what was made now.
Result<std::size_t> compare(const Json& there, const fs::path& folder) {
  std::size_t files = 0;
  const auto compare_files = [&](const Json& hashes) -> Result<void> {
    for (const auto& [name, hash] : hashes.items()) {
      AWRY_TRY_ASSIGN(const std::string now, sha256_hex_of_file(folder / name));
      if (hash.get<std::string>() != now) {
        return fail({.what = "the replay differs in",
                     .input = name,
                     .why = "its bytes are not those of the first set",
                     .hint = "Another version of awry or of its libraries made it."});
      }
      ++files;
    }
    return {};
  };
  AWRY_TRY(compare_files(there.at("files")));
  for (const Json& item : there.at("items")) AWRY_TRY(compare_files(item.at("files")));
  return files;
}

Result<Replayed> replay_from(const Json& there, const fs::path& metadata, const fs::path& folder,
                             const ReplayOptions& options) {
  const std::string made_by = there.at("made_by").get<std::string>();
  const int version = there.at("version").get<int>();
  const Json& recorded = there.at("options");
  if (!there.at("finished").get<bool>()) return refuse(metadata, "the set was never finished");
  const Maker* makers[] = {&kThemisMaker, &kPanelMaker, &kPartsMaker};
  const auto maker =
      std::ranges::find(makers, made_by, [](const Maker* known) { return std::string(known->name); });
  if (maker == std::end(makers)) return refuse(metadata, fmt::format("'{}' made it", made_by));
  if (version != (*maker)->version) {
    return refuse(
        metadata,
        fmt::format("version {} of the forge made it, this is version {}", version, (*maker)->version),
        "Use the awry that made it.");
  }
  Replayed replayed;
  if (*maker == &kThemisMaker) {
    ThemisSetOptions set = themis_options_from(recorded);
    if (recorded.contains("sources_digest") && options.pool == nullptr)
      return refuse(metadata, "it was made from pictures", "Name their folder with --sources.");
    std::optional<SourcePool> pictures;
    if (recorded.contains("sources_digest")) {
      AWRY_TRY_ASSIGN(pictures,
                      options.pool->restricted_to(pool_images_from(there.at("sources")),
                                                  pool_figures_from(there.value("figures", Json::array()))));
      set.pool = &*pictures;
    }
    std::unique_ptr<ImageGenerator> generator;
    if (recorded.contains("generator")) {
      generator =
          make_recorded_generator(metadata.parent_path(), recorded.at("generator").get<std::string>());
      set.generator = generator.get();
    }
    Selection selection;
    if (recorded.contains("selection")) {
      selection = selection_from(recorded.at("selection"), there);
      set.selection = &selection;
    }
    set.threads = options.threads, set.on_item = options.on_item, set.cancel = options.cancel;
    AWRY_TRY_ASSIGN(const ThemisSet made, forge_themis_set(folder, set));
    replayed.already_there = made.already_there;
  } else {
    AnomalySetOptions set = anomaly_options_from(
        recorded, *maker == &kPanelMaker ? AnomalySubject::kAssembledPanel : AnomalySubject::kParts);
    set.threads = options.threads, set.on_item = options.on_item, set.cancel = options.cancel;
    AWRY_TRY_ASSIGN(const AnomalySet made, forge_anomaly_set(folder, set));
    replayed.already_there = made.already_there;
  }
  AWRY_TRY_ASSIGN(replayed.files, compare(there, folder));
  return replayed;
}

}  // namespace

Result<Replayed> replay_set(const fs::path& metadata, const fs::path& folder, const ReplayOptions& options) {
  AWRY_TRY_ASSIGN(const Json there, read_json_file(metadata));
  try {
    return replay_from(there, metadata, folder, options);
  } catch (const Json::exception& error) {
    return refuse(metadata, "it is not the metadata.json of a forged set");
  }
}

}  // namespace awry::forge
