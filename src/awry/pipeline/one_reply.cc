// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/one_reply.h"

#include <fmt/format.h>

#include <vector>

#include "awry/base/clock.h"
#include "awry/base/text.h"

namespace awry::pipeline {

Result<std::optional<Reply>> find_known_reply(const KnownReplies& known, const Model& model,
                                              const std::string& question_id, const std::string& key,
                                              const std::function<bool(const Reply&)>& is_usable) {
  if (model.recorded_run() != nullptr) return std::nullopt;
  if (const auto own = known.own.find(question_id);
      own != known.own.end() && own->second.key == key && is_usable(own->second)) {
    return own->second;
  }
  if (known.ask_again) return std::nullopt;
  AWRY_TRY_ASSIGN(std::optional<Reply> stored, known.store.find_reply(key));
  if (stored && !is_usable(*stored)) stored.reset();
  return stored;
}

bool is_usable_reply(const Reply& reply, bool retry_errors) {
  switch (reply.outcome) {
    case Outcome::kTransport:
    case Outcome::kUnreadable:
    case Outcome::kJudgeFailed:
      return false;
    case Outcome::kAnswered:
      return true;
    default:
      return !retry_errors;
  }
}

void complete_reply(const Respondent& respondent, const std::string& key, Reply& reply) {
  if (respondent.model->recorded_run() != nullptr) return;
  reply.key = key;
  reply.created = utc_timestamp();
  if (respondent.price && !reply.usage.cost_usd)
    reply.usage.cost_usd = cost_of(reply.usage, *respondent.price);
}

Reply stored_form(const Respondent& respondent, Reply reply) {
  if (respondent.model->recorded_run() != nullptr) reply.key = "replay " + reply.key;
  return reply;
}

std::string progress_note(std::size_t in_flight, const Spending& spent, const OutcomeCounts& outcomes) {
  std::vector<std::string> parts;
  if (in_flight > 0) parts.push_back(fmt::format("{} in flight", in_flight));
  if (const long long tokens = spent.input_tokens + spent.output_tokens; tokens > 0) {
    parts.push_back(with_thousands(tokens) + " tokens");
  }
  if (spent.cost_usd > 0) parts.push_back(fmt::format("${:.2f}", spent.cost_usd));
  for (const Outcome outcome : kAllOutcomes) {
    const std::size_t count = outcomes[static_cast<std::size_t>(outcome)];
    if (outcome != Outcome::kAnswered && count > 0) {
      parts.push_back(fmt::format("{} {}", count, name_of(outcome)));
    }
  }
  return join(parts, ", ");
}

}  // namespace awry::pipeline
