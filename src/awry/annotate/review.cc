// SPDX-License-Identifier: Apache-2.0
#include "awry/annotate/review.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "awry/annotate/image_metadata.h"
#include "awry/base/clock.h"
#include "awry/base/text.h"
#include "awry/score/agreement.h"

namespace awry::annotate {
namespace {

using agents::ImageAnnotation;
using agents::Stage;

constexpr std::array kDecisions = {std::string_view("accept"), std::string_view("reject"),
                                   std::string_view("unsure")};
constexpr std::array kStandings = {std::string_view("undecided"), std::string_view("accepted"),
                                   std::string_view("rejected"), std::string_view("disputed")};

ReviewItem item_of(const ImageAnnotation& annotation) {
  ReviewItem item{.sample_id = annotation.sample.id,
                  .generator = std::string(attribute(annotation.sample, kGenerator))};
  if (!annotation.sample.images.empty()) item.image = annotation.sample.images.front().path;
  return item;
}

void add(Acceptance& row, Standing standing) {
  ++row.items;
  if (standing == Standing::kAccepted) ++row.accepted;
  if (standing == Standing::kRejected) ++row.rejected;
  if (standing == Standing::kDisputed) ++row.disputed;
  if (standing == Standing::kUndecided) ++row.undecided;
}

// Every candidate behind an anomaly, whatever its stage.
std::set<std::string> ancestors(const ImageAnnotation& annotation, const std::vector<std::string>& from) {
  std::set<std::string> found;
  std::vector<std::string> open = from;
  while (!open.empty()) {
    const std::string id = std::move(open.back());
    open.pop_back();
    if (!found.insert(id).second) continue;
    const auto candidate = std::ranges::find(annotation.candidates, id, &agents::Candidate::id);
    if (candidate == annotation.candidates.end()) continue;
    open.insert(open.end(), candidate->from.begin(), candidate->from.end());
  }
  return found;
}

// The best any anomaly made from a candidate came to: one accepted offspring justifies it.
std::map<std::string, Standing> standing_by_offspring(const ImageAnnotation& annotation,
                                                      const VotesById& votes, std::size_t min_votes) {
  const auto better = [](Standing a, Standing b) {
    constexpr std::array kBestFirst = {Standing::kAccepted, Standing::kDisputed, Standing::kUndecided,
                                       Standing::kRejected};
    return std::ranges::find(kBestFirst, a) < std::ranges::find(kBestFirst, b) ? a : b;
  };
  std::map<std::string, Standing> standings;
  for (const agents::Anomaly& anomaly : annotation.anomalies) {
    const Standing standing = standing_of(votes, anomaly.finding.id, min_votes);
    for (const std::string& id : ancestors(annotation, anomaly.from)) {
      const auto [place, fresh] = standings.emplace(id, standing);
      if (!fresh) place->second = better(place->second, standing);
    }
  }
  return standings;
}

}  // namespace

std::vector<ReviewItem> review_items(std::span<const ImageAnnotation> annotations, Stage stage) {
  std::vector<ReviewItem> items;
  for (const ImageAnnotation& annotation : annotations) {
    if (stage == Stage::kFormat) {
      for (const agents::Anomaly& anomaly : annotation.anomalies) {
        ReviewItem item = item_of(annotation);
        item.id = anomaly.finding.id;
        item.name = anomaly.finding.name;
        item.phenomenon = anomaly.finding.phenomenon;
        item.reasoning = anomaly.finding.reasoning;
        item.severity = anomaly.finding.severity;
        items.push_back(std::move(item));
      }
      continue;
    }
    for (const agents::Candidate& candidate : annotation.candidates) {
      if (candidate.stage != stage) continue;
      ReviewItem item = item_of(annotation);
      item.id = fmt::format("{}/{}", annotation.sample.id, candidate.id);
      item.stage = stage;
      item.name = candidate.name;
      item.phenomenon = candidate.phenomenon;
      item.reasoning = candidate.reasoning;
      item.severity = candidate.severity;
      items.push_back(std::move(item));
    }
  }
  return items;
}

Verdict make_verdict(std::string finding_id, Decision decision, std::string person, std::string note) {
  Verdict verdict{.id = fmt::format("{} by {}", finding_id, person),
                  .finding_id = std::move(finding_id),
                  .decision = decision,
                  .note = std::move(note),
                  .created = utc_timestamp()};
  verdict.by.name = std::move(person);
  return verdict;
}

std::string_view name_of(Decision decision) {
  return kDecisions[static_cast<std::size_t>(decision)];
}

std::optional<Decision> decision_named(std::string_view word) {
  const std::string lower = to_lower_ascii(trim(word));
  for (const std::string_view yes : {"accept", "accepted", "yes", "correct", "true", "1"}) {
    if (lower == yes) return Decision::kAccept;
  }
  for (const std::string_view no : {"reject", "rejected", "no", "incorrect", "wrong", "false", "0"}) {
    if (lower == no) return Decision::kReject;
  }
  for (const std::string_view unsure : {"unsure", "ignore", "skip", "not sure", "maybe"}) {
    if (lower == unsure) return Decision::kUnsure;
  }
  return std::nullopt;
}

std::string_view name_of(Standing standing) {
  return kStandings[static_cast<std::size_t>(standing)];
}

Standing Votes::standing(std::size_t min_votes) const {
  if (total() == 0 || total() < min_votes) return Standing::kUndecided;
  if (2 * accept > total()) return Standing::kAccepted;
  if (2 * reject > total()) return Standing::kRejected;
  return Standing::kDisputed;
}

VotesById count_votes(std::span<const Verdict> verdicts) {
  std::map<std::pair<std::string, std::string>, Decision> last;
  for (const Verdict& verdict : verdicts) last[{verdict.finding_id, verdict.by.name}] = verdict.decision;
  VotesById votes;
  for (const auto& [key, decision] : last) {
    Votes& of = votes[key.first];
    ++(decision == Decision::kAccept ? of.accept : decision == Decision::kReject ? of.reject : of.unsure);
  }
  return votes;
}

Standing standing_of(const VotesById& votes, std::string_view id, std::size_t min_votes) {
  const auto found = votes.find(id);
  return found == votes.end() ? Standing::kUndecided : found->second.standing(min_votes);
}

std::optional<double> Acceptance::rate() const {
  const std::size_t decided = items - undecided;
  if (decided == 0) return std::nullopt;
  return static_cast<double>(accepted) / static_cast<double>(decided);
}

std::vector<Acceptance> acceptance_by_generator(std::span<const ImageAnnotation> annotations,
                                                const VotesById& votes, std::size_t min_votes) {
  std::map<std::string, Acceptance> rows;
  for (const ReviewItem& item : review_items(annotations)) {
    Acceptance& row = rows[item.generator];
    row.group = item.generator;
    add(row, standing_of(votes, item.id, min_votes));
  }
  std::vector<Acceptance> list;
  for (auto& [name, row] : rows) list.push_back(std::move(row));
  return list;
}

std::vector<StageAcceptance> acceptance_by_stage(std::span<const ImageAnnotation> annotations,
                                                 const VotesById& votes, std::size_t min_votes) {
  std::map<Stage, StageAcceptance> rows;
  for (const ImageAnnotation& annotation : annotations) {
    const auto offspring = standing_by_offspring(annotation, votes, min_votes);
    for (const agents::Candidate& candidate : annotation.candidates) {
      StageAcceptance& row = rows[candidate.stage];
      const std::string id = fmt::format("{}/{}", annotation.sample.id, candidate.id);
      const auto led_to = offspring.find(candidate.id);
      if (led_to == offspring.end()) ++row.dropped;
      const Standing own = standing_of(votes, id, min_votes);
      const Standing inherited = led_to == offspring.end() ? Standing::kUndecided : led_to->second;
      add(row.acceptance, own == Standing::kUndecided ? inherited : own);
    }
    for (const agents::Anomaly& anomaly : annotation.anomalies) {
      add(rows[Stage::kFormat].acceptance, standing_of(votes, anomaly.finding.id, min_votes));
    }
  }
  std::vector<StageAcceptance> list;
  for (auto& [stage, row] : rows) {
    row.stage = stage;
    row.acceptance.group = agents::name_of(stage);
    list.push_back(std::move(row));
  }
  return list;
}

Result<double> agreement_of(std::span<const Verdict> verdicts) {
  std::map<std::string, std::size_t> raters, units;
  for (const Verdict& verdict : verdicts) {
    raters.emplace(verdict.by.name, raters.size());
    units.emplace(verdict.finding_id, units.size());
  }
  score::Ratings ratings{.raters = raters.size()};
  ratings.values.assign(units.size() * raters.size(), score::kNotRated);
  for (const Verdict& verdict : verdicts) {
    ratings.values[units.at(verdict.finding_id) * raters.size() + raters.at(verdict.by.name)] =
        static_cast<double>(verdict.decision);
  }
  AWRY_TRY_ASSIGN(const score::Agreement alpha,
                  score::krippendorff_alpha(ratings, score::Measurement::kNominal));
  return alpha.value;
}

std::vector<ImageAnnotation> verified_only(std::span<const ImageAnnotation> annotations,
                                           const VotesById& votes, std::size_t min_votes) {
  std::vector<ImageAnnotation> verified(annotations.begin(), annotations.end());
  for (ImageAnnotation& annotation : verified) {
    std::erase_if(annotation.anomalies, [&](const agents::Anomaly& anomaly) {
      return standing_of(votes, anomaly.finding.id, min_votes) != Standing::kAccepted;
    });
  }
  return verified;
}

}  // namespace awry::annotate
