// SPDX-License-Identifier: Apache-2.0
// The text side of TGAD's three scenarios, ready for detectors that take text (text_prompts.json).
//
// Scenario 1 varies the words about the same images; 2 names parts of an object; 3 names what may be wrong
// with an assembled panel. Variants, keywords, focus and contrast sets are the paper's; sentences are ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "awry/base/result.h"

namespace awry::benchmarks::tgad {

// Three interfaces in one record; a detector takes the one it understands, and the others may be empty.
struct TextPrompt {
  int scenario = 1;
  std::string of;       // class ("bottle"), subclass ("cable1_cable3"), "panel", or error ("A7")
  std::string variant;  // "original", "no-anomaly", "keywords-simple", "instruction-2", "per-error"

  std::string text;  // a sentence, for models that are asked
  std::vector<std::string> focus,
      contrast;         // what belongs to the foreground mask, and what it is held against
  std::string keyword;  // for templates of normal and abnormal states
};

// nullopt: all three.
Result<std::vector<TextPrompt>> text_prompts(std::optional<int> scenario = std::nullopt);

}  // namespace awry::benchmarks::tgad
