// SPDX-License-Identifier: Apache-2.0
// People's decisions on what the annotator claims: accept, reject or unsure, by as many people as wish.
//
// Every candidate of every stage has an id and can be decided on; usually people look at the final anomalies.
// The verified set is what most of those who decided accept.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/agents/annotation.h"
#include "awry/base/result.h"
#include "awry/records/judging.h"

namespace awry::annotate {

// One thing to decide on.
struct ReviewItem {
  std::string id;     // Finding::id, or "<sample>/<candidate>"
  std::string image;  // path
  std::string sample_id, generator;
  agents::Stage stage = agents::Stage::kFormat;
  std::string name, phenomenon, reasoning;
  std::optional<double> severity;
};

// The final anomalies (kFormat) or the candidates of a stage, in the order of the annotations.
std::vector<ReviewItem> review_items(std::span<const agents::ImageAnnotation> annotations,
                                     agents::Stage stage = agents::Stage::kFormat);

// Named so that a person who decides again replaces the earlier decision.
Verdict make_verdict(std::string finding_id, Decision decision, std::string person, std::string note = "");

std::string_view name_of(Decision decision);                    // "accept", "reject", "unsure"
std::optional<Decision> decision_named(std::string_view word);  // also Prodigy's "ignore", "yes", "skip", ...

enum class Standing { kUndecided, kAccepted, kRejected, kDisputed };
std::string_view name_of(Standing standing);

struct Votes {
  std::size_t accept = 0, reject = 0, unsure = 0;

  std::size_t total() const { return accept + reject + unsure; }
  // Accepted or rejected by more than half of all who voted, the unsure among them; otherwise disputed.
  // Fewer than `min_votes`: undecided.
  Standing standing(std::size_t min_votes = 1) const;
};
using VotesById = std::map<std::string, Votes, std::less<>>;

// The last decision of each person on each finding counts.
VotesById count_votes(std::span<const Verdict> verdicts);
Standing standing_of(const VotesById& votes, std::string_view id, std::size_t min_votes = 1);

// How much of what was claimed people accept.
struct Acceptance {
  std::string group;
  std::size_t items = 0, accepted = 0, rejected = 0, disputed = 0, undecided = 0;

  // Of those decided; nothing when none is.
  std::optional<double> rate() const;
};

// One row per generator, in alphabetical order; "" is for images whose generator is not known.
std::vector<Acceptance> acceptance_by_generator(std::span<const agents::ImageAnnotation> annotations,
                                                const VotesById& votes, std::size_t min_votes = 1);

// One row per stage. A candidate that nobody decided on stands as the final anomaly it led to; one that led
// to none was dropped on the way.
struct StageAcceptance {
  agents::Stage stage = agents::Stage::kFormat;
  Acceptance acceptance;
  std::size_t dropped = 0;  // led to no final anomaly; counted as undecided
};
std::vector<StageAcceptance> acceptance_by_stage(std::span<const agents::ImageAnnotation> annotations,
                                                 const VotesById& votes, std::size_t min_votes = 1);

// Agreement of the people who decided on the same things: Krippendorff's alpha for names without order.
Result<double> agreement_of(std::span<const Verdict> verdicts);

// The anomalies that most accept; everything else is taken out. Images stay, with what is left.
std::vector<agents::ImageAnnotation> verified_only(std::span<const agents::ImageAnnotation> annotations,
                                                   const VotesById& votes, std::size_t min_votes = 1);

}  // namespace awry::annotate
