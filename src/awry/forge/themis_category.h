// SPDX-License-Identifier: Apache-2.0
// What a question of a forged THEMIS set is about, and where its files go.
#pragma once

#include <string_view>

namespace awry::forge {

enum class ThemisCategory {
  kSplicing,
  kCopyMove,
  kAuthentic,
  kGlobalDuplicate,
  kLocalDuplicate,
  kUnrelatedPair,  // of the same kind, painted apart: the authentic pairs
  kNumericalText,
  kTrendText,
  kConsistentText,
  kAiWhole,      // the whole panel made by a generator
  kAiRegion,     // a region of it
  kResynthesis,  // a region filled in again by classical means; THEMIS has no letter for it
};

bool is_about_pairs(ThemisCategory category);
bool is_about_text(ThemisCategory category);
bool is_ai_generated(ThemisCategory category);
std::string_view question_file_of(ThemisCategory category);  // without ".json": "duplication"
std::string_view folder_of(ThemisCategory category);         // "forgery/copy_move", "duplication/partial"

}  // namespace awry::forge
