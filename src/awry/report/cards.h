// SPDX-License-Identifier: Apache-2.0
// One sample, told in full: its images, the truth, and for each question the answer and the raw reply.
#pragma once

#include <string>

#include "awry/report/filters.h"
#include "awry/report/html.h"

namespace awry::report {

struct CardFacts {
  std::size_t number = 0;  // position in the run, from 1
  SampleScores scores;
  std::vector<std::size_t> groups;
  bool only_findings = false;  // nothing was asked of anybody, and no truth is known
};
std::string render_card(const Item& item, const CardFacts& facts, const HtmlOptions& options);

// "box at 10, 20, 30 wide and 40 high": where a finding lies, in words.
std::string describe_where(const Finding& finding);

}  // namespace awry::report
