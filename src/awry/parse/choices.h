// SPDX-License-Identifier: Apache-2.0
// Option letters out of a short text such as the body of <CHOICES>: "A", "A, C", "A) splicing",
// "Option B", ["A","C"], or the options' own names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "awry/parse/parsed.h"

namespace awry::parse {

struct ChoiceOption {
  char letter = 'A';
  std::vector<std::string> names;  // "copy-move", "copy move forgery"; case, blanks and hyphens are equal
};

struct ChoiceRules {
  std::vector<ChoiceOption> options;
  std::string exclusive;  // letters that never stand beside others: "FG"
  bool single = false;    // exactly one letter is asked for
};

struct Choices {
  std::string letters;           // upper case, sorted, without repeats, never empty
  bool mixes_exclusive = false;  // an exclusive letter stands beside others; also noted in `tolerated`
};

// A letter counts where it stands as a list item ("A", "(b)", "C - rotated"), never inside words or
// sentences ("a region", "panel B"). Unparsable, with the reason: no letter or name, a letter nobody
// offered, a letter beside another option's name, "A or B", a range, several letters where one is due.
// Forms like {"A": true, "B": false} and "A: yes, B: no" are read as the letters that are affirmed.
Result<Parsed<Choices>> read_choices(std::string_view body, const ChoiceRules& rules);

}  // namespace awry::parse
