// SPDX-License-Identifier: Apache-2.0
// Prompts: our wording or the user's own, with its {gaps} filled.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "awry/base/result.h"
#include "awry/benchmarks/cave/cave.h"

namespace awry::benchmarks::cave {

using Gaps = std::map<std::string, std::string, std::less<>>;

// `name` is a file of prompts/, such as "ad.txt". A gap is a lower-case word in braces; other braces, as in
// examples of JSON, are text. A gap that nothing is known for is an error.
Result<std::string> worded(const std::string& name, const Gaps& gaps, const Options& options);

}  // namespace awry::benchmarks::cave
