// SPDX-License-Identifier: Apache-2.0
// Finds and reads JSON, or what models write instead of it, in a reply. Include from .cc files.
//
// Overlooked, and named in `tolerated`: prose around, ``` fences, \boxed{...}, doubled braces, single and
// typographic quotes, unescaped quotes inside strings, True/False/None, NaN (as null), tuples, sets, trailing
// or missing commas, comments, unquoted keys, keys inside [ ] (read as an object), control characters and
// unknown escapes in strings. Time is linear in the text whatever it holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "awry/base/json.h"
#include "awry/parse/parsed.h"

namespace awry::parse {

enum class JsonWanted { kAny, kObject, kArray };

// A key that is given twice with different values: refuse the document, or keep every value under "key",
// "key#2", "key#3" for callers to whom the keys are mere numbering.
enum class RepeatedKeys { kRefuse, kNumber };

struct LooseJsonOptions {
  JsonWanted wanted = JsonWanted::kAny;
  // Close what is open when the text ends half-way, drop the piece that was being written unless it is a
  // string, and set `truncated`. Otherwise such text is unparsable.
  bool allow_truncated = false;
  RepeatedKeys repeated_keys = RepeatedKeys::kRefuse;
  int max_depth = 64;  // deeper is refused with ErrorKind::kLimit
};

struct LooseJson {
  Json json;
  bool truncated = false;
};

// The whole text is one value; blanks and comments may stand around it.
Result<Parsed<LooseJson>> read_loose_json(std::string_view text, const LooseJsonOptions& options = {});

// The value a reply answers with. Looked for in this order, and the first place that exists decides:
// the last \boxed{...} (or <boxed>), the ``` fenced blocks, the text itself. Where a place holds several
// values the last one that is more than a flat list counts, and the others are mentioned in `tolerated`.
// No JSON at all: ErrorKind::kNotFound.
Result<Parsed<LooseJson>> find_json(std::string_view reply, const LooseJsonOptions& options = {});

// Every value that stands side by side in a reply, in order, for models that write one object per finding.
Result<Parsed<std::vector<LooseJson>>> find_all_json(std::string_view reply,
                                                     const LooseJsonOptions& options = {});

// What stands between the balanced braces of the last \boxed{...} or <boxed>...</boxed>, trimmed. Braces
// inside quotes are not counted. Absent: ErrorKind::kNotFound. Never closed: the rest of the text.
Result<Parsed<std::string>> last_boxed(std::string_view text);

}  // namespace awry::parse
