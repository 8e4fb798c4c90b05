// SPDX-License-Identifier: Apache-2.0
#include "awry/records/outcome.h"

#include <numeric>

namespace awry {

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kAnswered:
      return "answered";
    case Outcome::kRefused:
      return "refused";
    case Outcome::kTruncated:
      return "truncated";
    case Outcome::kUnparsable:
      return "unparsable";
    case Outcome::kTransport:
      return "transport";
    case Outcome::kJudgeFailed:
      return "judge_failed";
    case Outcome::kUnreadable:
      return "unreadable";
  }
  return "unknown";
}

std::optional<Outcome> outcome_named(std::string_view name) {
  for (const Outcome outcome : kAllOutcomes) {
    if (name_of(outcome) == name) return outcome;
  }
  return std::nullopt;
}

std::size_t OutcomeCounts::total() const {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

}  // namespace awry
