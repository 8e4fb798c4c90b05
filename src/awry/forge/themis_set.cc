// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/themis_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <mutex>
#include <thread>
#include <utility>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/forge/set_folder.h"
#include "awry/forge/themis_item.h"
#include "awry/forge/themis_json.h"
#include "awry/imaging/encode.h"

namespace awry::forge {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxQuestions = 100'000;  // per category: more is a slip of the keyboard

struct CategoryOrder {
  ThemisCategory category;
  int count;
  std::string_view option;  // its name in errors, metadata and random streams
};

// The order in which the release lists them.
std::array<CategoryOrder, 6> orders_of(const ThemisSetOptions& options) {
  return {{{ThemisCategory::kSplicing, options.splicing, "splicing"},
           {ThemisCategory::kCopyMove, options.copy_move, "copy_move"},
           {ThemisCategory::kAuthentic, options.authentic, "authentic"},
           {ThemisCategory::kGlobalDuplicate, options.global_duplicates, "global_duplicates"},
           {ThemisCategory::kLocalDuplicate, options.local_duplicates, "local_duplicates"},
           {ThemisCategory::kUnrelatedPair, options.unrelated_pairs, "unrelated_pairs"}}};
}

tl::unexpected<Error> wrong_option(std::string_view option, std::string why) {
  return fail({.kind = ErrorKind::kUsage,
               .what = "cannot forge a set with option",
               .input = std::string(option),
               .why = std::move(why)});
}

Result<void> check(const ThemisSetOptions& options) {
  int total = 0;
  for (const CategoryOrder& order : orders_of(options)) {
    if (order.count < 0 || order.count > kMaxQuestions) {
      return wrong_option(order.option,
                          fmt::format("{} is not between 0 and {}", order.count, kMaxQuestions));
    }
    total += order.count;
  }
  if (total == 0) return wrong_option("counts", "all of them are 0, so there is nothing to forge");
  if (options.panel_side < kMinSetPanelSide || options.panel_side > kMaxSetPanelSide) {
    return wrong_option("panel_side", fmt::format("{} is not between {} and {}", options.panel_side,
                                                  kMinSetPanelSide, kMaxSetPanelSide));
  }
  if (options.kinds.empty()) return wrong_option("kinds", "none is named");
  if (options.threads < 1) return wrong_option("threads", fmt::format("{} is less than 1", options.threads));
  return {};
}

Json options_json(const ThemisSetOptions& options) {
  Json json{{"seed", options.seed}};
  for (const CategoryOrder& order : orders_of(options)) json[std::string(order.option)] = order.count;
  json["panel_side"] = options.panel_side;
  json["kinds"] = Json::array();
  for (const PanelKind kind : options.kinds) json["kinds"].push_back(name_of(kind));
  return json;
}

std::vector<PanelKind> kinds_for(ThemisCategory category, const std::vector<PanelKind>& wanted) {
  std::vector<PanelKind> preferred = wanted;
  const auto keep = [&](std::initializer_list<PanelKind> kinds) {
    std::erase_if(preferred, [&](PanelKind kind) { return std::ranges::find(kinds, kind) == kinds.end(); });
  };
  if (category == ThemisCategory::kCopyMove)
    keep({PanelKind::kMicrograph, PanelKind::kStainedMicrograph, PanelKind::kBlot});
  if (category == ThemisCategory::kLocalDuplicate)
    keep({PanelKind::kMicrograph, PanelKind::kStainedMicrograph});
  return preferred.empty() ? wanted : preferred;
}

std::vector<ThemisItemPlan> plans_of(const ThemisSetOptions& options) {
  const SeedPath root{.seed = options.seed, .labels = {"themis"}};
  std::vector<ThemisItemPlan> plans;
  int forgeries = 0, pairs = 0;
  for (const CategoryOrder& order : orders_of(options)) {
    const std::vector<PanelKind> kinds = kinds_for(order.category, options.kinds);
    for (int i = 0; i < order.count; ++i) {
      plans.push_back({.category = order.category,
                       .kind = kinds[static_cast<std::size_t>(i) % kinds.size()],
                       .number = is_about_pairs(order.category) ? ++pairs : ++forgeries,
                       .seed = root.child(order.option).child(static_cast<std::uint64_t>(i)),
                       .panel_side = options.panel_side});
    }
  }
  return plans;
}

struct WrittenItem {
  Json question, metadata;
  std::size_t rejected = 0;
};

Result<WrittenItem> write_item(const fs::path& folder, const ThemisItem& item) {
  std::map<std::string, std::string> hashes;
  const auto write = [&](const std::string& path, const std::string& bytes) -> Result<void> {
    AWRY_TRY(make_folder((folder / path).parent_path()));
    hashes[path] = sha256_hex(bytes);
    return write_file(folder / path, bytes);
  };
  for (const ItemPanel& panel : item.panels) AWRY_TRY(write(panel.path, imaging::encode_png(panel.image)));
  for (const ItemMask& mask : item.masks) AWRY_TRY(write(mask.path, imaging::encode_mask_png(mask.pixels)));
  return WrittenItem{question_json(item), metadata_json(item, hashes), item.rejected.size()};
}

// Items are independent of one another: each has its own random stream and files, and a place of its own in
// the result, so the number of threads changes nothing but the time.
Result<std::vector<WrittenItem>> write_items(const fs::path& folder, const std::vector<ThemisItemPlan>& plans,
                                             const ThemisSetOptions& options) {
  std::vector<WrittenItem> items(plans.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::size_t done = 0, first_failed = plans.size();
  std::optional<Error> failure;
  std::atomic<bool> stop = false;
  const auto work = [&] {
    while (!stop && (options.cancel == nullptr || !options.cancel->requested())) {
      const std::size_t i = next++;
      if (i >= plans.size()) return;
      auto written = forge_themis_item(plans[i]).and_then(
          [&](const ThemisItem& item) { return write_item(folder, item); });
      const std::lock_guard lock(mutex);
      if (!written) {
        stop = true;
        if (i < first_failed) first_failed = i, failure = std::move(written).error();
        return;
      }
      items[i] = std::move(*written);
      if (options.on_item) options.on_item(++done, plans.size());
    }
  };
  {
    std::vector<std::jthread> helpers;
    const std::size_t workers = std::min(static_cast<std::size_t>(options.threads), plans.size());
    for (std::size_t i = 1; i < workers; ++i) helpers.emplace_back(work);
    work();
  }
  if (failure) return fail(std::move(*failure));
  if (next < plans.size()) {
    return fail({.kind = ErrorKind::kCancelled,
                 .what = "stopped forging into",
                 .input = folder.string(),
                 .why = "it was asked to stop",
                 .hint = "The same command goes on."});
  }
  return items;
}

}  // namespace

Result<ThemisSet> forge_themis_set(const fs::path& folder, const ThemisSetOptions& options) {
  AWRY_TRY(check(options));
  const std::vector<ThemisItemPlan> plans = plans_of(options);
  ThemisSet set{.folder = folder};
  for (const ThemisItemPlan& plan : plans)
    ++(is_about_pairs(plan.category) ? set.duplication_questions : set.forgery_questions);

  const Json recorded = options_json(options);
  AWRY_TRY_ASSIGN(const FolderClaim claim, claim_folder(folder, recorded));
  if (claim.finished) {
    set.already_there = true;
    if (const auto rejected = claim.metadata.find("rejected");
        rejected != claim.metadata.end() && rejected->is_number_unsigned())
      set.rejected = rejected->get<std::size_t>();
    return set;
  }

  AWRY_TRY_ASSIGN(const std::vector<WrittenItem> items, write_items(folder, plans, options));
  Json forgery = Json::array(), duplication = Json::array(), described = Json::array();
  for (std::size_t i = 0; i < items.size(); ++i) {
    (is_about_pairs(plans[i].category) ? duplication : forgery).push_back(items[i].question);
    described.push_back(items[i].metadata);
    set.rejected += items[i].rejected;
  }
  Json files = Json::object();
  for (auto& [name, questions] : {std::pair("forgery.json", &forgery), {"duplication.json", &duplication}}) {
    if (questions->empty()) continue;
    const std::string text = dump_json_pretty(Json::object({{"question", *questions}}));
    AWRY_TRY(write_file(folder / name, text));
    files[name] = sha256_hex(text);
  }
  AWRY_TRY(finish_folder(
      folder, recorded,
      {{"rejected", set.rejected}, {"files", std::move(files)}, {"items", std::move(described)}}));
  return set;
}

}  // namespace awry::forge
