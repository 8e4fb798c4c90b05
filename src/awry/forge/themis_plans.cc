// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/themis_plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

#include "awry/forge/duplication_request.h"
#include "awry/forge/image_generator.h"
#include "awry/forge/released_mix.h"
#include "awry/forge/selection.h"
#include "awry/forge/source_pool_json.h"

namespace awry::forge {
namespace {

constexpr int kMaxQuestions = 100'000;  // per category: more is a slip of the keyboard

// Counts that sets had not from the beginning.
bool came_later(ThemisCategory category) {
  return is_about_text(category) || is_ai_generated(category) || category == ThemisCategory::kResynthesis;
}

tl::unexpected<Error> wrong_option(std::string_view option, std::string why) {
  return fail({.kind = ErrorKind::kUsage,
               .what = "cannot forge a set with option",
               .input = std::string(option),
               .why = std::move(why)});
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
  if (category == ThemisCategory::kResynthesis || is_ai_generated(category))
    keep({PanelKind::kMicrograph, PanelKind::kStainedMicrograph, PanelKind::kMedicalScan,
          PanelKind::kPhysicalObject});
  // Only these have sentences that tell numbers and trends.
  if (is_about_text(category)) return {PanelKind::kChart};
  return preferred.empty() ? wanted : preferred;
}

std::vector<DuplicationPlan> duplications_for(const CategoryOption& option, const ThemisSetOptions& options,
                                              RandomStream random) {
  const bool local = option.category == ThemisCategory::kLocalDuplicate;
  if (!local && option.category != ThemisCategory::kGlobalDuplicate) return {};
  std::vector<DuplicationRequest> requests;
  for (const std::string& text : options.duplications) {
    if (const auto request = duplication_request(text); request && request->local == local)
      requests.push_back(*request);
  }
  if (!requests.empty()) {
    std::vector<DuplicationPlan> plans;
    for (std::size_t i = 0; i < static_cast<std::size_t>(options.*option.count); ++i)
      plans.push_back(plan_for(requests[i % requests.size()], random.fork("asked for").fork(i)));
    return plans;
  }
  if (!options.released_mix) return {};
  return local ? released_local_plans(options.*option.count, random)
               : released_global_plans(options.*option.count, random);
}

}  // namespace

std::span<const CategoryOption> category_options() {
  using Options = ThemisSetOptions;
  static constexpr CategoryOption kOptions[] = {
      {ThemisCategory::kSplicing, &Options::splicing, "splicing"},
      {ThemisCategory::kCopyMove, &Options::copy_move, "copy_move"},
      {ThemisCategory::kAiWhole, &Options::ai_whole, "ai_whole"},
      {ThemisCategory::kAiRegion, &Options::ai_regions, "ai_regions"},
      {ThemisCategory::kAuthentic, &Options::authentic, "authentic"},
      {ThemisCategory::kGlobalDuplicate, &Options::global_duplicates, "global_duplicates"},
      {ThemisCategory::kLocalDuplicate, &Options::local_duplicates, "local_duplicates"},
      {ThemisCategory::kUnrelatedPair, &Options::unrelated_pairs, "unrelated_pairs"},
      {ThemisCategory::kNumericalText, &Options::numerical_texts, "numerical_texts"},
      {ThemisCategory::kTrendText, &Options::trend_texts, "trend_texts"},
      {ThemisCategory::kConsistentText, &Options::consistent_texts, "consistent_texts"},
      {ThemisCategory::kResynthesis, &Options::resynthesised, "resynthesised"}};
  return kOptions;
}

Result<void> check(const ThemisSetOptions& options) {
  int total = 0;
  for (const CategoryOption& option : category_options()) {
    if (options.*option.count < 0 || options.*option.count > kMaxQuestions) {
      return wrong_option(option.name,
                          fmt::format("{} is not between 0 and {}", options.*option.count, kMaxQuestions));
    }
    total += options.*option.count;
  }
  if (total == 0) return wrong_option("counts", "all of them are 0, so there is nothing to forge");
  if (options.panel_side < kMinSetPanelSide || options.panel_side > kMaxSetPanelSide) {
    return wrong_option("panel_side", fmt::format("{} is not between {} and {}", options.panel_side,
                                                  kMinSetPanelSide, kMaxSetPanelSide));
  }
  for (const std::string& text : options.duplications) AWRY_TRY(duplication_request(text));
  const int texts = options.numerical_texts + options.trend_texts + options.consistent_texts;
  if (options.pool != nullptr && options.pool->figures().empty() && texts > 0)
    return wrong_option("texts", "none of the pictures has a caption that could be tampered with");
  if (options.ai_whole + options.ai_regions > 0 && options.generator == nullptr)
    return wrong_option("ai", "nobody is named who generates pictures");
  if (options.kinds.empty()) return wrong_option("kinds", "none is named");
  if (options.threads < 1) return wrong_option("threads", fmt::format("{} is less than 1", options.threads));
  return {};
}

Json options_json(const ThemisSetOptions& options) {
  Json json{{"seed", options.seed}};
  for (const CategoryOption& option : category_options()) {
    if (!came_later(option.category) || options.*option.count > 0)
      json[std::string(option.name)] = options.*option.count;
  }
  json["panel_side"] = options.panel_side;
  json["kinds"] = Json::array();
  for (const PanelKind kind : options.kinds) json["kinds"].push_back(name_of(kind));
  if (options.released_mix) json["released_mix"] = true;
  if (!options.duplications.empty()) json["duplications"] = options.duplications;
  if (options.strict_quality) json["strict_quality"] = true;
  if (options.datasheet) json["datasheet"] = true;
  if (options.ai_whole + options.ai_regions > 0) json["generator"] = options.generator->identity();
  if (options.selection != nullptr) {
    json["selection"] = {{"keep", name_of(options.selection->keep)},
                         {"inspector", options.selection->inspector},
                         {"max_candidates", options.selection->max_candidates}};
  }
  if (options.pool != nullptr) json["sources_digest"] = digest_of(*options.pool);
  return json;
}

std::vector<ThemisItemPlan> plans_of(const ThemisSetOptions& options) {
  const SeedPath root{.seed = options.seed, .labels = {"themis"}};
  std::vector<ThemisItemPlan> plans;
  std::map<std::string_view, int> numbers;
  // Pictures are dealt from one shuffled deck, so that none comes twice before all have come once.
  const std::size_t pictures = options.pool == nullptr ? 0 : options.pool->images().size();
  const auto deck = root.child("deck").stream().sample(pictures, pictures);
  const std::size_t figures = options.pool == nullptr ? 0 : options.pool->figures().size();
  const auto words = root.child("words").stream().sample(figures, figures);
  std::size_t dealt = 0, told = 0;
  for (const CategoryOption& option : category_options()) {
    const RandomStream mix = root.child("mix").child(option.name).stream();
    const std::vector<PanelKind> kinds =
        options.released_mix ? released_kinds(option.category, options.*option.count, mix.fork("kinds"))
                             : kinds_for(option.category, options.kinds);
    const auto duplications = duplications_for(option, options, mix.fork("duplications"));
    for (std::size_t i = 0; i < static_cast<std::size_t>(options.*option.count); ++i) {
      ThemisItemPlan plan{.category = option.category,
                          .kind = kinds[i % kinds.size()],
                          .number = ++numbers[question_file_of(option.category)],
                          .seed = root.child(option.name).child(i),
                          .panel_side = options.panel_side,
                          .pool = options.pool};
      if (!duplications.empty()) plan.duplication = duplications[i];
      if (options.strict_quality) plan.quality = kStrictQuality;
      if (pictures > 0 && is_about_text(option.category)) {
        plan.draw = words[told++ % figures];
        plan.max_tries = 40;
      } else if (pictures > 0) {
        // Splices take the pairs of the pool in order, the most similar first.
        plan.draw = option.category == ThemisCategory::kSplicing ? i : deck[dealt++ % pictures];
        plan.max_tries = 40;
      }
      plans.push_back(std::move(plan));
    }
  }
  return plans;
}

}  // namespace awry::forge
