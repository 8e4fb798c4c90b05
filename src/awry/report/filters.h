// SPDX-License-Identifier: Apache-2.0
// What the cards of a report can be filtered by, worked out once for the whole run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "awry/report/html.h"

namespace awry::report {

// Question kinds, types of truth, and attributes that take few enough values to choose from.
// Cards refer to them by position, so no label ever has to survive inside a script.
struct Groups {
  std::vector<std::string> labels;  // "task: smf-il", "truth: copy_move", "scenario: indoor"
  std::map<std::string, std::size_t> index;
};
Groups collect_groups(const std::vector<Item>& items);
std::vector<std::size_t> groups_of(const Item& item, const Groups& groups);

// Right: every score that lies between 0 and 1 is at least one half. Metrics with any value outside that
// range have no common notion of half and take no part.
enum class Mark { kUnscored, kRight, kWrong };

struct SampleScores {
  std::vector<const Score*> scores;
  Mark mark = Mark::kUnscored;
};
// By sample id; points into `summary`.
std::map<std::string, SampleScores> scores_by_sample(const Summary& summary);

// How an item ended: one outcome for each question, the answer's where there is one, else the reply's.
std::vector<Outcome> outcomes_of(const Item& item);

}  // namespace awry::report
