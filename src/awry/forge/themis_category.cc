// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/themis_category.h"

#include <cstdlib>

namespace awry::forge {

bool is_about_pairs(ThemisCategory category) {
  return category == ThemisCategory::kGlobalDuplicate || category == ThemisCategory::kLocalDuplicate ||
         category == ThemisCategory::kUnrelatedPair;
}

std::string_view folder_of(ThemisCategory category) {
  switch (category) {
    case ThemisCategory::kSplicing:
      return "forgery/splicing";
    case ThemisCategory::kCopyMove:
      return "forgery/copy_move";
    case ThemisCategory::kAuthentic:
      return "forgery/authentic";
    case ThemisCategory::kGlobalDuplicate:
      return "duplication/global";
    case ThemisCategory::kLocalDuplicate:
      return "duplication/partial";
    case ThemisCategory::kUnrelatedPair:
      return "duplication/authentic";
    case ThemisCategory::kNumericalText:
      return "text_image_inconsistency/numerical";
    case ThemisCategory::kTrendText:
      return "text_image_inconsistency/trend";
    case ThemisCategory::kConsistentText:
      return "text_image_inconsistency/consistent";
    case ThemisCategory::kAiWhole:
      return "forgery/ai_generated/global";
    case ThemisCategory::kAiRegion:
      return "forgery/ai_generated/partial";
    case ThemisCategory::kResynthesis:
      return "resynthesis/region";
  }
  std::abort();
}

bool is_about_text(ThemisCategory category) {
  return category == ThemisCategory::kNumericalText || category == ThemisCategory::kTrendText ||
         category == ThemisCategory::kConsistentText;
}

bool is_ai_generated(ThemisCategory category) {
  return category == ThemisCategory::kAiWhole || category == ThemisCategory::kAiRegion;
}

std::string_view question_file_of(ThemisCategory category) {
  if (is_about_pairs(category)) return "duplication";
  if (is_about_text(category)) return "text_image_inconsistency";
  return category == ThemisCategory::kResynthesis ? "resynthesis" : "forgery";
}

}  // namespace awry::forge
