// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/themis_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <utility>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/forge/datasheet.h"
#include "awry/forge/parallel.h"
#include "awry/forge/released_mix.h"
#include "awry/forge/set_folder.h"
#include "awry/forge/source_pool.h"
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
std::array<CategoryOrder, 10> orders_of(const ThemisSetOptions& options) {
  return {{{ThemisCategory::kSplicing, options.splicing, "splicing"},
           {ThemisCategory::kCopyMove, options.copy_move, "copy_move"},
           {ThemisCategory::kAuthentic, options.authentic, "authentic"},
           {ThemisCategory::kGlobalDuplicate, options.global_duplicates, "global_duplicates"},
           {ThemisCategory::kLocalDuplicate, options.local_duplicates, "local_duplicates"},
           {ThemisCategory::kUnrelatedPair, options.unrelated_pairs, "unrelated_pairs"},
           {ThemisCategory::kNumericalText, options.numerical_texts, "numerical_texts"},
           {ThemisCategory::kTrendText, options.trend_texts, "trend_texts"},
           {ThemisCategory::kConsistentText, options.consistent_texts, "consistent_texts"},
           {ThemisCategory::kResynthesis, options.resynthesised, "resynthesised"}}};
}

int& count_of(ThemisSetOptions& options, ThemisCategory category) {
  switch (category) {
    case ThemisCategory::kSplicing:
      return options.splicing;
    case ThemisCategory::kCopyMove:
      return options.copy_move;
    case ThemisCategory::kAuthentic:
      return options.authentic;
    case ThemisCategory::kGlobalDuplicate:
      return options.global_duplicates;
    case ThemisCategory::kLocalDuplicate:
      return options.local_duplicates;
    case ThemisCategory::kUnrelatedPair:
      return options.unrelated_pairs;
    case ThemisCategory::kNumericalText:
      return options.numerical_texts;
    case ThemisCategory::kTrendText:
      return options.trend_texts;
    case ThemisCategory::kConsistentText:
      return options.consistent_texts;
    case ThemisCategory::kResynthesis:
      return options.resynthesised;
  }
  std::abort();
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
  const int texts = options.numerical_texts + options.trend_texts + options.consistent_texts;
  if (options.pool != nullptr && texts > 0)
    return wrong_option("texts", "pictures from a folder have no captions to tamper with");
  if (options.kinds.empty()) return wrong_option("kinds", "none is named");
  if (options.threads < 1) return wrong_option("threads", fmt::format("{} is less than 1", options.threads));
  return {};
}

// Which pictures a pool holds, in one short word.
std::string digest_of(const SourcePool& pool) {
  FieldHasher hasher;
  for (const PoolImage& image : pool.images()) hasher.add(image.name).add(image.sha256);
  return hasher.hex();
}

// What was not asked for is not written, so that sets of earlier versions keep their digest.
Json options_json(const ThemisSetOptions& options) {
  Json json{{"seed", options.seed}};
  for (const CategoryOrder& order : orders_of(options)) {
    const bool later = is_about_text(order.category) || order.category == ThemisCategory::kResynthesis;
    if (!later || order.count > 0) json[std::string(order.option)] = order.count;
  }
  json["panel_side"] = options.panel_side;
  json["kinds"] = Json::array();
  for (const PanelKind kind : options.kinds) json["kinds"].push_back(name_of(kind));
  if (options.released_mix) json["released_mix"] = true;
  if (options.strict_quality) json["strict_quality"] = true;
  if (options.datasheet) json["datasheet"] = true;
  if (options.pool != nullptr) json["sources_digest"] = digest_of(*options.pool);
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
  if (category == ThemisCategory::kResynthesis)
    keep({PanelKind::kMicrograph, PanelKind::kStainedMicrograph, PanelKind::kMedicalScan,
          PanelKind::kPhysicalObject});
  // Only these have sentences that tell numbers and trends.
  if (is_about_text(category)) return {PanelKind::kChart};
  return preferred.empty() ? wanted : preferred;
}

std::vector<DuplicationPlan> duplications_for(const CategoryOrder& order, const ThemisSetOptions& options,
                                              RandomStream random) {
  if (!options.released_mix) return {};
  if (order.category == ThemisCategory::kGlobalDuplicate) return released_global_plans(order.count, random);
  if (order.category == ThemisCategory::kLocalDuplicate) return released_local_plans(order.count, random);
  return {};
}

std::vector<ThemisItemPlan> plans_of(const ThemisSetOptions& options) {
  const SeedPath root{.seed = options.seed, .labels = {"themis"}};
  std::vector<ThemisItemPlan> plans;
  std::map<std::string_view, int> numbers;
  // Pictures are dealt from one shuffled deck, so that none comes twice before all have come once.
  const std::size_t pictures = options.pool == nullptr ? 0 : options.pool->images().size();
  const auto deck = root.child("deck").stream().sample(pictures, pictures);
  std::size_t dealt = 0;
  for (const CategoryOrder& order : orders_of(options)) {
    const RandomStream mix = root.child("mix").child(order.option).stream();
    const std::vector<PanelKind> kinds = options.released_mix
                                             ? released_kinds(order.category, order.count, mix.fork("kinds"))
                                             : kinds_for(order.category, options.kinds);
    const auto duplications = duplications_for(order, options, mix.fork("duplications"));
    for (std::size_t i = 0; i < static_cast<std::size_t>(order.count); ++i) {
      ThemisItemPlan plan{.category = order.category,
                          .kind = kinds[i % kinds.size()],
                          .number = ++numbers[question_file_of(order.category)],
                          .seed = root.child(order.option).child(i),
                          .panel_side = options.panel_side,
                          .pool = options.pool};
      if (!duplications.empty()) plan.duplication = duplications[i];
      if (options.strict_quality) plan.quality = kStrictQuality;
      if (pictures > 0) {
        // Splices take the pairs of the pool in order, the most similar first.
        plan.draw = order.category == ThemisCategory::kSplicing ? i : deck[dealt++ % pictures];
        plan.max_tries = 40;
      }
      plans.push_back(std::move(plan));
    }
  }
  return plans;
}

struct WrittenItem {
  Json question, metadata;
  std::size_t rejected = 0;
  RejectionTally tally;
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
  return WrittenItem{question_json(item), metadata_json(item, hashes), item.rejected.size(), item.tally};
}

Result<std::vector<WrittenItem>> write_items(const fs::path& folder, const std::vector<ThemisItemPlan>& plans,
                                             const ThemisSetOptions& options) {
  std::vector<WrittenItem> items(plans.size());
  const auto work = [&](std::size_t i) -> Result<void> {
    AWRY_TRY_ASSIGN(const ThemisItem item, forge_themis_item(plans[i]));
    AWRY_TRY_ASSIGN(items[i], write_item(folder, item));
    return {};
  };
  AWRY_TRY(for_each_item(plans.size(), work,
                         {.threads = options.threads, .on_item = options.on_item, .cancel = options.cancel}));
  return items;
}

Json sources_json(const SourcePool& pool) {
  Json sources = Json::array();
  for (const PoolImage& image : pool.images())
    sources.push_back({{"path", image.name}, {"sha256", image.sha256}, {"group", image.group}});
  return sources;
}

void count_questions(ThemisSet& set, const std::vector<ThemisItemPlan>& plans) {
  for (const ThemisItemPlan& plan : plans) {
    const std::string_view file = question_file_of(plan.category);
    ++(file == "duplication"   ? set.duplication_questions
       : file == "forgery"     ? set.forgery_questions
       : file == "resynthesis" ? set.resynthesis_questions
                               : set.text_questions);
  }
}

}  // namespace

void take_released_counts(ThemisSetOptions& options, int total) {
  const WithTexts texts = options.pool == nullptr ? WithTexts::kYes : WithTexts::kNo;
  for (const CategoryCount& share : released_counts(total, texts))
    count_of(options, share.category) = share.count;
}

Result<ThemisSet> forge_themis_set(const fs::path& folder, const ThemisSetOptions& options) {
  AWRY_TRY(check(options));
  const std::vector<ThemisItemPlan> plans = plans_of(options);
  ThemisSet set{.folder = folder};
  count_questions(set, plans);

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
  std::map<std::string_view, Json> questions;
  Json described = Json::array();
  for (std::size_t i = 0; i < items.size(); ++i) {
    questions[question_file_of(plans[i].category)].push_back(items[i].question);
    described.push_back(items[i].metadata);
    set.rejected += items[i].rejected;
    for (const auto& [reason, count] : items[i].tally) set.rejected_by_reason[reason] += count;
  }
  Json files = Json::object();
  const auto write = [&](std::string name, const std::string& text) -> Result<void> {
    files[name] = sha256_hex(text);
    return write_file(folder / name, text);
  };
  for (const std::string_view file : {"forgery", "duplication", "text_image_inconsistency", "resynthesis"}) {
    if (!questions.contains(file)) continue;
    AWRY_TRY(write(fmt::format("{}.json", file), dump_json_pretty({{"question", questions[file]}})));
  }
  Json content{{"rejected", set.rejected}, {"rejected_by_reason", set.rejected_by_reason}};
  if (options.pool != nullptr) content["sources"] = sources_json(*options.pool);
  content["items"] = std::move(described);
  if (options.datasheet) {
    Json page = content;
    page.update({{"made_by", kThemisMaker.name}, {"options", recorded}});
    AWRY_TRY(write("datasheet.html", datasheet_html(page)));
  }
  content["files"] = std::move(files);
  AWRY_TRY(finish_folder(folder, recorded, content));
  return set;
}

}  // namespace awry::forge
