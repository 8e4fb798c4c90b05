// SPDX-License-Identifier: Apache-2.0
// Lists of block numbers: "1, 2, 5-8", "[1,2]", "blocks 3 and 4", "none".
#pragma once

#include <string_view>
#include <vector>

#include "awry/parse/parsed.h"

namespace awry::parse {

// Sorted, without repeats, each in 1..block_count. Blank text, "none", "0", "[]" and the like are the empty
// set; "all" is every block. A number out of range, a fraction, a range that runs backwards or words that
// leave the meaning open ("row 2") are unparsable. `block_count` 0 means unknown: then "all" is unparsable
// and only numbers above 100,000 are out of range.
Result<Parsed<std::vector<int>>> read_blocks(std::string_view body, int block_count);

}  // namespace awry::parse
