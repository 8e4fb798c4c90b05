// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/themis_item.h"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <utility>

#include "awry/forge/themis_tries.h"

namespace awry::forge {
namespace {

Result<Rejection> try_category(ThemisItem& item, const SeedPath& seed) {
  switch (item.plan.category) {
    case ThemisCategory::kSplicing:
      return try_splice(item, seed);
    case ThemisCategory::kCopyMove:
      return try_copy_move(item, seed);
    case ThemisCategory::kAuthentic:
      return take_authentic(item, seed);
    case ThemisCategory::kGlobalDuplicate:
      return try_global_duplicate(item, seed);
    case ThemisCategory::kLocalDuplicate:
      return try_local_duplicate(item, seed);
    case ThemisCategory::kUnrelatedPair:
      return take_unrelated(item, seed);
    case ThemisCategory::kNumericalText:
    case ThemisCategory::kTrendText:
    case ThemisCategory::kConsistentText:
      return try_text(item, seed);
    case ThemisCategory::kAiWhole:
      return try_ai_whole(item, seed);
    case ThemisCategory::kAiRegion:
      return try_ai_region(item, seed);
    case ThemisCategory::kResynthesis:
      return try_resynthesis(item, seed);
  }
  std::abort();
}

Result<Rejection> try_once(ThemisItem& item, const SeedPath& seed) {
  try {
    return try_category(item, seed);
  } catch (const std::exception& error) {  // OpenCV's, or memory running out
    return fail({.what = "cannot forge", .input = item.question_id, .why = error.what()});
  }
}

}  // namespace

Result<ForgeAttempt> attempt_themis_item(const ThemisItemPlan& plan) {
  ForgeAttempt attempt{
      .question_id =
          fmt::format("{}_{}", is_about_text(plan.category) ? "consistency" : question_file_of(plan.category),
                      plan.number)};
  if (plan.max_tries < 1 || plan.donor_candidates < 1) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot forge",
                 .input = attempt.question_id,
                 .why = fmt::format("{} tries and {} candidate donors are allowed; it takes one of each",
                                    plan.max_tries, plan.donor_candidates)});
  }
  for (int i = 0; i < plan.max_tries; ++i) {
    ThemisItem item{.plan = plan,
                    .question_id = attempt.question_id,
                    .rejected = attempt.rejected,
                    .tally = attempt.tally,
                    .generated = attempt.generated,
                    .scenario = std::string(scenario_of(plan.kind))};
    AWRY_TRY_ASSIGN(const Rejection rejection,
                    try_once(item, plan.seed.child("try").child(static_cast<std::uint64_t>(i))));
    attempt.tally = item.tally;
    attempt.generated = item.generated;
    if (!rejection) {
      attempt.item = std::move(item);
      return attempt;
    }
    ++attempt.tally["source_given_up"];
    attempt.rejected.push_back(*rejection);
  }
  return attempt;
}

Result<ThemisItem> forge_themis_item(const ThemisItemPlan& plan) {
  AWRY_TRY_ASSIGN(ForgeAttempt attempt, attempt_themis_item(plan));
  if (attempt.item) return std::move(*attempt.item);
  return fail({.what = "cannot forge",
               .input = fmt::format("{} ({} in a {})", attempt.question_id, folder_of(plan.category),
                                    name_of(plan.kind)),
               .why = fmt::format("none of {} sources allowed it; the last: {}", plan.max_tries,
                                  attempt.rejected.back()),
               .hint = "Use larger panels, other kinds or another seed."});
}

}  // namespace awry::forge
