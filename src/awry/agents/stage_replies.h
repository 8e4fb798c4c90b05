// SPDX-License-Identifier: Apache-2.0
// Readers for the short forms of reply: verdicts, pairs, and plain words.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/agents/objects.h"
#include "awry/base/result.h"
#include "awry/parse/parsed.h"

namespace awry::agents {

inline constexpr std::string_view kRealVerdict = "real", kGeneratedVerdict = "generated";

// <VERDICT>generated</VERDICT>, "Yes, this image is generated", "real photograph": one of the two words
// above.
Result<parse::Parsed<std::string>> read_verdict(std::string_view reply);

// Anything that is not blank.
Result<parse::Parsed<std::string>> read_words(std::string_view reply);

// The list that stands in the prompt for {pairs}.
std::string print_pairs(std::span<const DoubtfulPair> pairs);
// "1: same" lines, as "1 4": the numbers of those called the same. Unparsable when no line names a pair.
Result<parse::Parsed<std::string>> read_same_words(std::string_view reply, std::size_t pairs);
std::vector<DoubtfulPair> pairs_called_same(std::string_view numbers, std::span<const DoubtfulPair> pairs);

}  // namespace awry::agents
