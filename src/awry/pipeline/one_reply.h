// SPDX-License-Identifier: Apache-2.0
// What ask_graph() does with one reply: look for it, complete it, store it, tell of it.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "awry/pipeline/budget.h"
#include "awry/pipeline/respondent.h"
#include "awry/records/outcome.h"
#include "awry/store/store.h"

namespace awry::pipeline {

// Where replies that are already paid for may be found.
struct KnownReplies {
  const std::unordered_map<std::string, Reply>& own;  // of this very run, by question
  bool ask_again = false;                             // only those
  store::Store& store;
};

// Recorded models are never looked up: they know their own replies.
Result<std::optional<Reply>> find_known_reply(const KnownReplies& known, const Model& model,
                                              const std::string& question_id, const std::string& key,
                                              const std::function<bool(const Reply&)>& is_usable);

// No reply at all is always asked again; one that came but is no answer only when the user wants it.
bool is_usable_reply(const Reply& reply, bool retry_errors);

// Recorded replies keep their key, time and cost: that is what makes a replay the same.
void complete_reply(const Respondent& respondent, const std::string& key, Reply& reply);

// A recording may have been edited, so what it says is never found by a run that asks for real.
Reply stored_form(const Respondent& respondent, Reply reply);

using OutcomeCounts = std::array<std::size_t, kAllOutcomes.size()>;

// "12 in flight, 4,100 tokens, $0.12, 3 refused": for the progress line.
std::string progress_note(std::size_t in_flight, const Spending& spent, const OutcomeCounts& outcomes);

}  // namespace awry::pipeline
