// SPDX-License-Identifier: Apache-2.0
// Claims that quote lettering ("the sign reads 'COFEE'") against the words that can be read in the picture.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/agents/annotation.h"
#include "awry/reading/lettering.h"

namespace awry::pipeline {

// What stands in quotation marks of any kind; an apostrophe within a word opens nothing.
std::vector<std::string> quoted_in(std::string_view text);

struct TextVerdict {
  agents::EvidenceVerdict verdict = agents::EvidenceVerdict::kNotTestable;
  std::string note;
};

// Supported when every word of some quotation was read (one letter may differ in words of five or more),
// unsupported when other words were read clearly but none of the quoted ones, otherwise not testable:
// lettering that cannot be read says nothing about the claim.
TextVerdict compare_quotes(std::string_view claim, std::span<const reading::Word> words);

}  // namespace awry::pipeline
