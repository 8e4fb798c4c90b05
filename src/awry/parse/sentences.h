// SPDX-License-Identifier: Apache-2.0
// Bodies of <SENTENCES> and <PARTS>.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/parse/parsed.h"

namespace awry::parse {

// A JSON list (cut off or not), numbered or bulleted items, one sentence a line, or quoted sentences with
// commas between; anything else is one sentence, since commas and semicolons occur inside sentences. Quotes
// around a sentence and a ``` fence around all of them are removed, as is a line before a list that ends in a
// colon. "none" and the like is the empty list. Never fails.
std::vector<std::string> read_sentences(std::string_view body);

struct PartName {
  std::string name;                  // "caption"
  std::vector<std::string> aliases;  // "figure caption"
};

// Names out of `parts`, each once, in the order written. "none" and the like is the empty list; an unknown
// word, or "none" beside a name, is unparsable.
Result<Parsed<std::vector<std::string>>> read_parts(std::string_view body, std::span<const PartName> parts);

}  // namespace awry::parse
