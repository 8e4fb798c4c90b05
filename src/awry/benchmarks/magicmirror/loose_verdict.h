// SPDX-License-Identifier: Apache-2.0
// Verdicts that are not in the released form, from whatever models wrote instead.
#pragma once

#include <string_view>

#include "awry/benchmarks/magicmirror/labels.h"
#include "awry/parse/parsed.h"

namespace awry::benchmarks::magicmirror {

// Looks for the verdict outside <think> first. No part of the text is searched for mere keywords: a reply
// whose JSON cannot be read is unparsable, even where it mentions labels.
Result<parse::Parsed<LabelSet>> read_loose_verdict(std::string_view reply);

}  // namespace awry::benchmarks::magicmirror
