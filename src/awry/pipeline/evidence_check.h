// SPDX-License-Identifier: Apache-2.0
// Claims of a model against what the embedded forensic inspector finds in the pixels.
//
// Only claims that a classical detector looks for can be tested: by kind, and by place where the claim writes
// a box ("at [120, 40, 200, 90]"). Claims about lettering are compared with what can be read (text_claims.h).
// "Unsupported" means that the detector saw nothing (there), not that the claim is false.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "awry/agents/annotation.h"
#include "awry/base/result.h"
#include "awry/inspectors/inspection.h"
#include "awry/pipeline/inspection_journal.h"

namespace awry::pipeline {

// The type of finding that would support the claim: "copy_move", "splicing", "text"; empty: none would.
std::string_view testable_as(const Finding& claim);

// The one box that a claim writes in brackets, in pixels.
std::optional<Box> place_in(const Finding& claim, int width, int height);

// Fills in `evidence` and `evidence_note` of every anomaly.
void compare_with(const inspectors::Inspection& inspection, agents::ImageAnnotation& annotation);

class EvidenceChecker {
 public:
  // What was inspected is kept in the run's folder, so that resuming does not look again.
  static Result<EvidenceChecker> open(bool wanted, const std::filesystem::path& folder);

  // Any thread, for several images at once. An image that cannot be inspected has all its claims marked as
  // not testable, with the reason.
  Result<void> check(agents::ImageAnnotation& annotation);

 private:
  std::unique_ptr<inspectors::Inspector> inspector_;
  std::unique_ptr<InspectionJournal> journal_;
};

}  // namespace awry::pipeline
