// SPDX-License-Identifier: Apache-2.0
// From the words of a command line to raw texts per option. Nothing is converted or bound here.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/cli/options.h"

namespace awry::cli {

// By option name, in the order given. A flag's texts are "true" or "false"; for values the last one counts.
using ParsedArguments = std::map<std::string, std::vector<std::string>, std::less<>>;

// Understands -n 5, -n5, --limit 5, --limit=5, bundled letters (-qv), --no-flag, `-` as a plain word, and
// `--`, after which everything is a plain word. Errors name the word and what was perhaps meant.
Result<ParsedArguments> parse_arguments(std::span<const std::string> words, const OptionSet& set);

std::string_view cli11_version();

}  // namespace awry::cli
