// SPDX-License-Identifier: Apache-2.0
// Where the fields of AnomReason's items begin in running text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace awry::parse {

enum class AnomalyField { kName, kPhenomenon, kReasoning, kSeverity };
inline constexpr std::size_t kAnomalyFieldCount = 4;

// "Observed Phenomenon", "phenomenon", "severity_score": case, blanks and underscores do not matter.
std::optional<AnomalyField> anomaly_field_named(std::string_view key);

struct AnomalyHeading {
  AnomalyField field = AnomalyField::kName;
  std::size_t begin = 0;  // of the numbering, bullet or stars before the word
  std::size_t end = 0;    // behind the colon and any stars
};

// "@1. **Name**:", "- Reasoning:" at the start of a line; within a line only capitalised and behind stars,
// numbering, a dash or the end of a sentence, so that "his reasoning: ..." stays part of the text.
std::vector<AnomalyHeading> anomaly_headings(std::string_view text);

// Blanks and line breaks become one blank each; stars and bullets at the ends go.
std::string one_line(std::string_view text);

}  // namespace awry::parse
