// SPDX-License-Identifier: Apache-2.0
// Texts with gaps. A gap is a lower-case word in braces, {caption}; all other braces, as in examples of JSON,
// are text.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace awry {

using Gaps = std::map<std::string, std::string, std::less<>>;

std::vector<std::string_view> gaps_in(std::string_view text);  // in order, repeated ones repeated

// In one pass, so that braces in what is filled in are never taken for gaps. A gap without a value vanishes.
std::string fill_gaps(std::string_view text, const Gaps& gaps);

}  // namespace awry
