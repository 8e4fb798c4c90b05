// SPDX-License-Identifier: Apache-2.0
// Prompts that a user puts in the place of ours: what may be wrong with them, in one wording for all.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"

namespace awry {

// The folder must exist, and each of its .txt files be named as some prompt is: a misspelt one would be
// passed over in silence.
Result<void> check_prompt_names(const std::string& folder, const std::vector<std::string>& known);

// Complaints about the prompt at `place`.
Error has_unknown_gap(std::string place, std::string_view gap, std::span<const std::string_view> known);
Error lacks_gap(std::string place, std::string_view gap);

}  // namespace awry
