// SPDX-License-Identifier: Apache-2.0
// Help pages, written from the table of commands and from what each command declares.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/cli/command.h"

namespace awry::cli {

std::string overview_help(std::span<const Command> commands, bool colour);
// `awry config`: the commands that begin with this word.
std::string family_help(std::string_view family, std::span<const Command> commands, bool colour);
std::string command_help(const Command& command, bool colour);

// Breaks at spaces; no line is wider unless a single word is.
std::vector<std::string> wrap(std::string_view text, int columns);

}  // namespace awry::cli
