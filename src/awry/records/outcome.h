// SPDX-License-Identifier: Apache-2.0
// How asking one question ended. A failure is never stored as an answer, and every score is printed
// beside the counts of all of these.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace awry {

enum class Outcome {
  kAnswered,
  kRefused,      // the model declined
  kTruncated,    // stopped for length
  kUnparsable,   // a reply came, but no answer can be read from it
  kTransport,    // no reply: network, HTTP status, time-out
  kJudgeFailed,  // answered, but the judge model gave no usable verdict
  kUnreadable,   // the sample's own files could not be read
};

inline constexpr std::array kAllOutcomes = {Outcome::kAnswered,   Outcome::kRefused,   Outcome::kTruncated,
                                            Outcome::kUnparsable, Outcome::kTransport, Outcome::kJudgeFailed,
                                            Outcome::kUnreadable};

std::string_view name_of(Outcome outcome);  // "answered", "judge_failed"
std::optional<Outcome> outcome_named(std::string_view name);

struct OutcomeCounts {
  std::array<std::size_t, kAllOutcomes.size()> counts{};

  void add(Outcome outcome, std::size_t n = 1) { counts[static_cast<std::size_t>(outcome)] += n; }
  std::size_t of(Outcome outcome) const { return counts[static_cast<std::size_t>(outcome)]; }
  std::size_t total() const;
  std::size_t failed() const { return total() - of(Outcome::kAnswered); }
  bool operator==(const OutcomeCounts&) const = default;
};

}  // namespace awry
