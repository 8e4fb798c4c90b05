// SPDX-License-Identifier: Apache-2.0
// Replies without the tags that were asked for, which still say plainly what was chosen.
#pragma once

#include <string>
#include <string_view>

#include "awry/parse/parsed.h"

namespace awry::benchmarks::themis {

// The same reply in tags: an object such as {"choice": "A", "mask": [1, 2]}, a list of letters, or a line
// that is nothing but a choice ("B", "Answer: (C)", "splicing"). What the line says is left to the reader of
// choices. Anything else is returned as it is.
parse::Parsed<std::string> with_tags(std::string_view reply);

}  // namespace awry::benchmarks::themis
