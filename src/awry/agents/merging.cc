// SPDX-License-Identifier: Apache-2.0
#include "awry/agents/merging.h"

#include <algorithm>

namespace awry::agents {
namespace {

void add_once(std::vector<std::string>& list, const std::string& value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

void join(Candidate& kept, Candidate& other) {
  other.joined_into = kept.id;
  add_once(kept.from, other.id);
  kept.traced = std::max(kept.traced, Traced::kAlike);
  if (kept.object != other.object) kept.object.clear();
  if (other.phenomenon.size() > kept.phenomenon.size()) kept.phenomenon = other.phenomenon;
  if (other.reasoning.size() > kept.reasoning.size()) kept.reasoning = other.reasoning;
  if (kept.name.empty()) kept.name = other.name;
  if (other.severity) kept.severity = std::min(kept.severity.value_or(100), *other.severity);
}

}  // namespace

MergedCandidates merge_candidates(std::vector<Candidate> candidates) {
  MergedCandidates merged;
  for (Candidate& candidate : candidates) {
    Candidate* same = nullptr;
    std::vector<Candidate*> against;
    for (Candidate& other : merged.kept) {
      const Relation relation = relate_claims(other.claim(), candidate.claim());
      if (relation == Relation::kSame && same == nullptr) same = &other;
      if (relation == Relation::kContradicting) against.push_back(&other);
    }
    if (same != nullptr) {
      join(*same, candidate);
      merged.joined.push_back(std::move(candidate));
      continue;
    }
    for (Candidate* other : against) {
      add_once(other->contradicts, candidate.id);
      add_once(candidate.contradicts, other->id);
    }
    merged.kept.push_back(std::move(candidate));
  }
  return merged;
}

}  // namespace awry::agents
