// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/evidence_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "awry/base/text.h"
#include "awry/inspectors/forensics/forensics.h"
#include "awry/pipeline/inspect_images.h"

namespace awry::pipeline {
namespace {

using agents::EvidenceVerdict;

struct ClaimKind {
  std::string_view type;
  std::span<const std::string_view> stems;  // words that begin with one of these
};

constexpr std::array<std::string_view, 8> kCopies = {"duplicat", "clone",  "identical", "repeat",
                                                     "mirrored", "copied", "copy",      "replica"};
constexpr std::array<std::string_view, 7> kSplices = {"splic",   "pasted",   "cutout",    "seam",
                                                      "collage", "overlaid", "superimpos"};
constexpr std::array<std::string_view, 7> kTexts = {"text", "letter",  "lettering", "writing",
                                                    "word", "garbled", "spelling"};
constexpr std::array kKinds = {ClaimKind{"copy_move", kCopies}, ClaimKind{"splicing", kSplices},
                               ClaimKind{"text", kTexts}};

// What the embedded inspector looks for in a single image (forensics.h).
constexpr std::array<std::string_view, 2> kLookedFor = {"copy_move", "splicing"};

void mark(agents::Anomaly& anomaly, EvidenceVerdict verdict, std::string note) {
  anomaly.evidence = verdict;
  anomaly.evidence_note = std::move(note);
}

void compare_one(const inspectors::Inspection& inspection, agents::Anomaly& anomaly) {
  const std::string_view type = testable_as(anomaly.finding);
  if (type.empty()) return mark(anomaly, EvidenceVerdict::kNotTestable, "no detector looks for such a thing");
  const auto found = std::ranges::find(inspection.findings, type, &Finding::type);
  if (found != inspection.findings.end()) {
    return mark(anomaly, EvidenceVerdict::kSupported, fmt::format("{} reports {}", found->by.name, type));
  }
  const bool looked = std::ranges::find(kLookedFor, type) != kLookedFor.end();
  const bool undecided = std::ranges::find(inspection.undecided, type) != inspection.undecided.end();
  if (!looked)
    return mark(anomaly, EvidenceVerdict::kNotTestable, fmt::format("nothing here tests {}", type));
  if (undecided)
    return mark(anomaly, EvidenceVerdict::kNotTestable, fmt::format("{} could not be decided", type));
  mark(anomaly, EvidenceVerdict::kUnsupported, fmt::format("{} was looked for and not found", type));
}

}  // namespace

std::string_view testable_as(const Finding& claim) {
  const std::vector<std::string> words = word_tokens(claim.name + " " + claim.phenomenon);
  for (const ClaimKind& kind : kKinds) {
    for (const std::string& word : words) {
      const auto begins = [&](std::string_view stem) { return word.starts_with(stem); };
      if (std::ranges::any_of(kind.stems, begins)) return kind.type;
    }
  }
  return "";
}

void compare_with(const inspectors::Inspection& inspection, agents::ImageAnnotation& annotation) {
  for (agents::Anomaly& anomaly : annotation.anomalies) compare_one(inspection, anomaly);
}

Result<EvidenceChecker> EvidenceChecker::open(bool wanted, const std::filesystem::path& folder) {
  EvidenceChecker checker;
  if (!wanted) return checker;
  checker.inspector_ = inspectors::forensics::make_forensic_inspector();
  AWRY_TRY_ASSIGN(checker.journal_, InspectionJournal::open(folder / "inspections.jsonl"));
  return checker;
}

Result<void> EvidenceChecker::check(agents::ImageAnnotation& annotation) {
  const std::array<int, 1> first = {0};
  const bool any_testable = std::ranges::any_of(annotation.anomalies, [](const agents::Anomaly& anomaly) {
    return !testable_as(anomaly.finding).empty();
  });
  if (!any_testable) {
    compare_with({}, annotation);
    return {};
  }
  const Result<inspectors::Inspection> inspection =
      inspect_or_recall(*inspector_, annotation.sample, first, journal_.get());
  if (inspection) {
    compare_with(*inspection, annotation);
    return {};
  }
  for (agents::Anomaly& anomaly : annotation.anomalies) {
    mark(anomaly, EvidenceVerdict::kNotTestable, inspection.error().message());
  }
  return {};
}

}  // namespace awry::pipeline
