// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/evidence_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "awry/base/text.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/mask.h"
#include "awry/inspectors/forensics/forensics.h"
#include "awry/parse/boxes.h"
#include "awry/pipeline/inspect_images.h"
#include "awry/pipeline/text_claims.h"
#include "awry/reading/lettering.h"
#include "awry/score/overlap.h"

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
constexpr std::array<std::string_view, 11> kTexts = {"text",        "letter",    "writing", "word",
                                                     "garbled",     "spelling",  "reads",   "misspel",
                                                     "inscription", "gibberish", "caption"};
constexpr std::string_view kText = "text";
constexpr std::array kKinds = {ClaimKind{"copy_move", kCopies}, ClaimKind{"splicing", kSplices},
                               ClaimKind{kText, kTexts}};
// A detector outlines pixels and a model draws a rough box: from this IoU they speak of one place.
constexpr double kSamePlace = 0.1;

// What the embedded inspector looks for in a single image (forensics.h).
constexpr std::array<std::string_view, 2> kLookedFor = {"copy_move", "splicing"};

void mark(agents::Anomaly& anomaly, EvidenceVerdict verdict, std::string note) {
  anomaly.evidence = verdict;
  anomaly.evidence_note = std::move(note);
}

// The boxes around what a detector reports; a pair has two.
std::vector<Box> places_of(const Finding& finding) {
  std::vector<Box> places;
  const auto add_mask = [&](const Mask& mask) {
    if (const auto box = imaging::mask_bounding_box(mask); box && *box) places.push_back(**box);
  };
  if (const auto* box = std::get_if<Box>(&finding.where)) places.push_back(*box);
  if (const auto* mask = std::get_if<Mask>(&finding.where)) add_mask(*mask);
  if (const auto* pair = std::get_if<Pair>(&finding.where)) {
    if (pair->in_first) add_mask(*pair->in_first);
    if (pair->in_second) add_mask(*pair->in_second);
  }
  return places;
}

// How well the best of them fits the claim's place; nothing when either is not known.
std::optional<double> overlap_of(const Finding& claim, const std::vector<const Finding*>& found) {
  const auto* wanted = std::get_if<Box>(&claim.where);
  std::optional<double> best;
  if (wanted == nullptr) return best;
  for (const Finding* one : found) {
    for (const Box& place : places_of(*one)) {
      best = std::max(best.value_or(0), score::box_iou(*wanted, place));
    }
  }
  return best;
}

void compare_one(const inspectors::Inspection& inspection, agents::Anomaly& anomaly) {
  const std::string_view type = testable_as(anomaly.finding);
  if (type.empty()) return mark(anomaly, EvidenceVerdict::kNotTestable, "no detector looks for such a thing");
  std::vector<const Finding*> found;
  for (const Finding& one : inspection.findings) {
    if (one.type == type) found.push_back(&one);
  }
  if (!found.empty()) {
    const std::string& detector = found.front()->by.name;
    const std::optional<double> overlap = overlap_of(anomaly.finding, found);
    if (!overlap) {
      return mark(anomaly, EvidenceVerdict::kSupported,
                  fmt::format("{} reports {}; by kind only, the claim names no place", detector, type));
    }
    if (*overlap >= kSamePlace) {
      return mark(anomaly, EvidenceVerdict::kSupported,
                  fmt::format("{} reports {} there (IoU {:.2f})", detector, type, *overlap));
    }
    return mark(anomaly, EvidenceVerdict::kUnsupported,
                fmt::format("{} reports {}, but elsewhere (best IoU {:.2f})", detector, type, *overlap));
  }
  const bool looked = std::ranges::find(kLookedFor, type) != kLookedFor.end();
  const bool undecided = std::ranges::find(inspection.undecided, type) != inspection.undecided.end();
  if (!looked)
    return mark(anomaly, EvidenceVerdict::kNotTestable, fmt::format("nothing here tests {}", type));
  if (undecided)
    return mark(anomaly, EvidenceVerdict::kNotTestable, fmt::format("{} could not be decided", type));
  mark(anomaly, EvidenceVerdict::kUnsupported, fmt::format("{} was looked for and not found", type));
}

bool is_text_claim(const agents::Anomaly& anomaly) {
  return testable_as(anomaly.finding) == kText;
}

void compare_lettering(agents::ImageAnnotation& annotation) {
  if (std::ranges::none_of(annotation.anomalies, is_text_claim)) return;
  std::vector<reading::Word> words;
  std::string why;
  if (!reading::can_read_lettering()) {
    why = "lettering cannot be read here: tesseract is not installed";
  } else if (const auto image = imaging::read_image(annotation.sample.images.front().path); !image) {
    why = image.error().message();
  } else if (auto read = reading::read_lettering(*image)) {
    words = std::move(*read);
  } else {
    why = read.error().message();
  }
  for (agents::Anomaly& anomaly : annotation.anomalies) {
    if (!is_text_claim(anomaly)) continue;
    TextVerdict verdict = compare_quotes(anomaly.finding.name + " " + anomaly.finding.phenomenon, words);
    mark(anomaly, verdict.verdict, why.empty() ? std::move(verdict.note) : why);
  }
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

std::optional<Box> place_in(const Finding& claim, int width, int height) {
  const std::string text = claim.phenomenon + " " + claim.reasoning;
  const std::size_t bracket = text.find('[');
  if (bracket == std::string::npos) return std::nullopt;
  const auto boxes =
      parse::read_boxes(std::string_view(text).substr(bracket), {.width = width, .height = height});
  if (!boxes || boxes->value.size() != 1) return std::nullopt;
  return boxes->value.front().box;
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
  if (annotation.sample.images.empty() || annotation.anomalies.empty()) return {};
  if (const auto size = imaging::probe_image(annotation.sample.images.front().path)) {
    for (agents::Anomaly& anomaly : annotation.anomalies) {
      if (const auto box = place_in(anomaly.finding, size->width, size->height)) anomaly.finding.where = *box;
    }
  }
  inspectors::Inspection inspection;
  std::string why_not;
  if (std::ranges::any_of(annotation.anomalies, [](const agents::Anomaly& anomaly) {
        const std::string_view type = testable_as(anomaly.finding);
        return std::ranges::find(kLookedFor, type) != kLookedFor.end();
      })) {
    const std::array<int, 1> first = {0};
    Result<inspectors::Inspection> seen =
        inspect_or_recall(*inspector_, annotation.sample, first, journal_.get());
    if (seen) inspection = std::move(*seen);
    if (!seen) why_not = seen.error().message();
  }
  compare_with(inspection, annotation);
  if (!why_not.empty()) {
    for (agents::Anomaly& anomaly : annotation.anomalies) {
      mark(anomaly, EvidenceVerdict::kNotTestable, why_not);
    }
    return {};
  }
  compare_lettering(annotation);
  return {};
}

}  // namespace awry::pipeline
