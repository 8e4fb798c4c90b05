// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/themis_set.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/forge/datasheet.h"
#include "awry/forge/generation_archive.h"
#include "awry/forge/item_journal.h"
#include "awry/forge/parallel.h"
#include "awry/forge/released_mix.h"
#include "awry/forge/selection.h"
#include "awry/forge/set_folder.h"
#include "awry/forge/source_pool_json.h"
#include "awry/forge/themis_json.h"
#include "awry/forge/themis_plans.h"
#include "awry/imaging/encode.h"

namespace awry::forge {
namespace {

namespace fs = std::filesystem;

// All that is kept of a question once its files are written, which is also what the journal holds:
//   question, metadata   as they will be published; both absent when the question is left out
//   files                hashes, by path
//   rejected, tally      sources given up, and candidates turned away by reason
//   left_out             instead of question and metadata: who it was, and what stood in the way
using Written = Json;

Result<Written> write_item(const fs::path& folder, const ThemisItem& item) {
  std::map<std::string, std::string> hashes;
  const auto write = [&](const std::string& path, const std::string& bytes) -> Result<void> {
    AWRY_TRY(make_folder((folder / path).parent_path()));
    hashes[path] = sha256_hex(bytes);
    return write_file(folder / path, bytes);
  };
  for (const ItemPanel& panel : item.panels) AWRY_TRY(write(panel.path, imaging::encode_png(panel.image)));
  for (const ItemMask& mask : item.masks) AWRY_TRY(write(mask.path, imaging::encode_mask_png(mask.pixels)));
  for (const std::string& reply : item.generated) {
    AWRY_TRY_ASSIGN(hashes[reply], sha256_hex_of_file(folder / reply));
  }
  return Written{{"question", question_json(item)},
                 {"metadata", metadata_json(item, hashes)},
                 {"files", hashes},
                 {"rejected", item.rejected.size()},
                 {"tally", item.tally}};
}

// The same question about other sources. The first candidate is what a set without selection has.
ThemisItemPlan candidate_plan(ThemisItemPlan plan, int candidate) {
  if (candidate == 0) return plan;
  plan.seed = plan.seed.child("candidate").child(static_cast<std::uint64_t>(candidate));
  plan.draw += 2 * static_cast<std::size_t>(candidate);  // even, so that splices keep their direction
  return plan;
}

bool is_wanted(const ThemisItem& item, Keep keep, std::optional<bool> found) {
  return !item.truth || !found || keep == Keep::kBoth || *found == (keep == Keep::kFound);
}

Written left_out(const ThemisItemPlan& plan, std::string id, Json why, std::size_t rejected,
                 const RejectionTally& tally) {
  why.update({{"question_id", std::move(id)}, {"category", folder_of(plan.category)}});
  return {{"left_out", std::move(why)}, {"files", Json::object()}, {"rejected", rejected}, {"tally", tally}};
}

Result<Written> write_attempt(const fs::path& folder, const ThemisItemPlan& plan) {
  AWRY_TRY_ASSIGN(const ForgeAttempt attempt, attempt_themis_item(plan));
  if (attempt.item) return write_item(folder, *attempt.item);
  return left_out(plan, attempt.question_id, {{"why", attempt.rejected.back()}}, attempt.rejected.size(),
                  attempt.tally);
}

Result<Written> write_selected(const fs::path& folder, const ThemisItemPlan& plan,
                               const Selection& selection) {
  Json verdicts = Json::array();
  RejectionTally tally;
  std::size_t rejected = 0;
  std::string id;
  for (int candidate = 0; candidate < selection.max_candidates; ++candidate) {
    AWRY_TRY_ASSIGN(ForgeAttempt attempt, attempt_themis_item(candidate_plan(plan, candidate)));
    for (const auto& [reason, count] : attempt.tally) tally[reason] += count;
    rejected += attempt.rejected.size();
    id = attempt.question_id;
    if (!attempt.item) {
      verdicts.push_back(nullptr);
      continue;
    }
    ThemisItem& item = *attempt.item;
    AWRY_TRY_ASSIGN(const std::optional<bool> found, selection.finds(item, candidate));
    verdicts.push_back(found ? Json(*found) : Json());
    if (is_wanted(item, selection.keep, found)) {
      item.tally = tally;
      AWRY_TRY_ASSIGN(Written written, write_item(folder, item));
      written["metadata"]["inspector_found"] = verdicts;
      written["rejected"] = rejected;
      return written;
    }
    ++tally[*found ? "found_by_inspector" : "missed_by_inspector"];
  }
  return left_out(plan, id, {{"inspector_found", std::move(verdicts)}}, rejected, tally);
}

Result<std::vector<Written>> write_items(const fs::path& folder, const std::vector<ThemisItemPlan>& plans,
                                         const ThemisSetOptions& options) {
  AWRY_TRY_ASSIGN(ItemJournal journal, ItemJournal::open(folder));
  std::vector<Written> items(plans.size());
  const auto work = [&](std::size_t i) -> Result<void> {
    if (const Json* known = journal.find(i)) {
      items[i] = *known;
      return {};
    }
    if (options.selection != nullptr) {
      AWRY_TRY_ASSIGN(items[i], write_selected(folder, plans[i], *options.selection));
    } else {
      AWRY_TRY_ASSIGN(items[i], write_attempt(folder, plans[i]));
    }
    return journal.append(i, items[i]);
  };
  AWRY_TRY(for_each_item(plans.size(), work,
                         {.threads = options.threads, .on_item = options.on_item, .cancel = options.cancel}));
  return items;
}

void count_question(ThemisSet& set, ThemisCategory category) {
  const std::string_view file = question_file_of(category);
  ++(file == "duplication"   ? set.duplication_questions
     : file == "forgery"     ? set.forgery_questions
     : file == "resynthesis" ? set.resynthesis_questions
                             : set.text_questions);
}

// What the inspector said of the forgeries that were kept.
void count_verdict(ThemisSet& set, const Json& metadata) {
  const auto verdicts = metadata.find("inspector_found");
  if (verdicts == metadata.end() || !metadata.contains("type") || !verdicts->back().is_boolean()) return;
  ++(verdicts->back().get<bool>() ? set.found : set.missed);
}

void count_left_out(ThemisSet& set, const Json& question) {
  ++(question.contains("inspector_found") ? set.left_out : set.unforgeable);
}

// The counts of a set as its metadata tell them.
void recount(ThemisSet& set, const Json& metadata) {
  set.already_there = true;
  set.rejected = metadata.value("rejected", std::size_t{0});
  const Json left_out = metadata.value("left_out", Json::array());
  for (const Json& question : left_out) count_left_out(set, question);
  for (const Json& item : metadata.at("items")) {
    count_verdict(set, item);
    for (const CategoryOption& option : category_options()) {
      if (folder_of(option.category) == item.at("category").get<std::string>())
        count_question(set, option.category);
    }
  }
}

Result<void> finish(const fs::path& folder, const ThemisSetOptions& options, const Json& recorded,
                    const std::vector<ThemisItemPlan>& plans, const std::vector<Written>& items,
                    ThemisSet& set) {
  std::map<std::string_view, Json> questions;
  Json described = Json::array(), left_out = Json::array();
  for (std::size_t i = 0; i < items.size(); ++i) {
    set.rejected += items[i].at("rejected").get<std::size_t>();
    for (const auto& [reason, count] : items[i].at("tally").items())
      set.rejected_by_reason[reason] += count.get<int>();
    if (items[i].contains("left_out")) {
      left_out.push_back(items[i].at("left_out"));
      count_left_out(set, left_out.back());
      continue;
    }
    count_question(set, plans[i].category);
    count_verdict(set, items[i].at("metadata"));
    questions[question_file_of(plans[i].category)].push_back(items[i].at("question"));
    described.push_back(items[i].at("metadata"));
  }
  if (described.empty()) {
    const bool chosen = set.left_out > 0;
    return fail({.what = "cannot finish the set",
                 .input = folder.string(),
                 .why = chosen ? fmt::format("the inspector left nothing of {} questions", items.size())
                               : fmt::format("no source allowed any of {} questions; the last: {}",
                                             items.size(), left_out.back().at("why").get<std::string>()),
                 .hint = chosen ? "Keep what it answers the other way, or both."
                                : "Use larger or richer pictures, or --any-quality."});
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
  if (!left_out.empty()) content["left_out"] = std::move(left_out);
  if (options.pool != nullptr) content["sources"] = images_json(*options.pool);
  if (options.pool != nullptr && !options.pool->figures().empty())
    content["figures"] = figures_json(*options.pool);
  content["items"] = std::move(described);
  if (options.datasheet) {
    Json page = content;
    page.update({{"made_by", kThemisMaker.name}, {"options", recorded}});
    AWRY_TRY(write("datasheet.html", datasheet_html(page)));
  }
  content["files"] = std::move(files);
  return finish_folder(folder, recorded, content);
}

Result<ThemisSet> forge_set(const fs::path& folder, const ThemisSetOptions& options) {
  std::vector<ThemisItemPlan> plans = plans_of(options);
  ThemisSet set{.folder = folder};
  const Json recorded = options_json(options);
  AWRY_TRY_ASSIGN(const FolderClaim claim, claim_folder(folder, recorded));
  if (claim.finished) {
    recount(set, claim.metadata);
    return set;
  }
  std::optional<GenerationArchive> archive;
  if (options.generator != nullptr) archive.emplace(folder, *options.generator);
  for (ThemisItemPlan& plan : plans) plan.archive = archive ? &*archive : nullptr;
  AWRY_TRY_ASSIGN(const std::vector<Written> items, write_items(folder, plans, options));
  AWRY_TRY(finish(folder, options, recorded, plans, items, set));
  std::error_code ignored;
  fs::remove(folder / kItemJournal, ignored);  // only now: a crash before would lose the way back
  return set;
}

}  // namespace

void take_released_counts(ThemisSetOptions& options, int total) {
  const bool words = options.pool == nullptr || !options.pool->figures().empty();
  const WithTexts texts = words ? WithTexts::kYes : WithTexts::kNo;
  const WithAi ai = options.generator != nullptr ? WithAi::kYes : WithAi::kNo;
  for (const CategoryCount& share : released_counts(total, texts, ai)) {
    for (const CategoryOption& option : category_options()) {
      if (option.category == share.category) options.*option.count = share.count;
    }
  }
}

Result<ThemisSet> forge_themis_set(const fs::path& folder, const ThemisSetOptions& options) {
  AWRY_TRY(check(options));
  try {
    return forge_set(folder, options);
  } catch (const Json::exception& error) {  // a metadata.json or journal that somebody has edited
    return fail({.what = "cannot forge into", .input = folder.string(), .why = error.what()});
  }
}

}  // namespace awry::forge
