// SPDX-License-Identifier: Apache-2.0
// How papers speak of their figures: "Fig. 2A and B", "Figures 1-3", "(Supplementary Figure S4c)".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace awry::reading {

struct FigureMention {
  std::string number;              // "2", "S4", "2.1"
  std::string letters;             // of panels, lower case, each once: "ab"; empty: the whole figure
  std::size_t begin = 0, end = 0;  // of the words in the text; mentions of one list share them
  bool operator==(const FigureMention&) const = default;
};
std::vector<FigureMention> figure_mentions(std::string_view text);

// "Figure 2. Cells after ..." -> number "2", label "Figure 2", and where the caption's own words begin.
struct CaptionStart {
  std::string label, number;
  std::size_t end = 0;      // past the number and its punctuation
  bool punctuated = false;  // a mark follows the number, which a sentence about the figure seldom has
};
std::optional<CaptionStart> caption_start(std::string_view text);

// The panels that a caption describes, lower case, in order: "(A) ... (B, C) ..." -> "abc". Empty when it
// names none.
std::string caption_letters(std::string_view caption);

// Sentences without the spaces around them; abbreviations, initials and decimals do not end one.
std::vector<std::string> sentences_of(std::string_view text);

}  // namespace awry::reading
