// SPDX-License-Identifier: Apache-2.0
// Things to decide on, and decisions, as files of other tools:
//   kJsonLines    awry's own: one item a line with its verdicts, or one verdict a line
//   kLabelStudio  a list of tasks with a choice of accept, reject and unsure (labelling configuration: below)
//   kProdigy      lines with "answer": "accept", "reject" or "ignore"
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/annotate/review.h"
#include "awry/base/result.h"

namespace awry::annotate {

enum class ReviewFormat { kJsonLines, kLabelStudio, kProdigy };

std::string write_reviews(std::span<const ReviewItem> items, std::span<const Verdict> verdicts,
                          ReviewFormat format);

// Decisions only. Recognised by content: a JSON list is Label Studio's; lines with "answer" are Prodigy's.
// `person` decides where the file does not say who did; an item nobody decided on gives nothing. An unknown
// word for a decision, or an item without a finding id, is an error that names its place.
Result<std::vector<Verdict>> read_reviews(std::string_view text, std::string_view source,
                                          const std::string& person);

// The interface to paste into a Label Studio project for these tasks.
std::string_view label_studio_configuration();

}  // namespace awry::annotate
