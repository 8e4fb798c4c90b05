// SPDX-License-Identifier: Apache-2.0
// Prompts that a user puts in the place of ours: what may be wrong with them, in one wording for all.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"

namespace awry {

// The folder must exist, and each of its .txt files be named as some prompt is: a misspelt one would be
// passed over in silence.
Result<void> check_prompt_names(const std::string& folder, const std::vector<std::string>& known);

struct FoundPrompt {
  std::string place;  // for messages: the user's file, or the name alone where it is ours
  std::string text;
};

// The user's where the folder (which may be "") has a file of that name, else ours.
Result<FoundPrompt> find_prompt(const std::string& own_folder, const std::string& name,
                                std::optional<std::string_view> ours);

// An error when it has a gap that is not `known`, or lacks one of the `needed`.
Result<void> check_gaps(const FoundPrompt& prompt, std::span<const std::string_view> known,
                        std::span<const std::string_view> needed);

}  // namespace awry
