// SPDX-License-Identifier: Apache-2.0
// Which value is in force: flag > AWRY_* environment > .env > awry.toml > the user's config.toml > default.
//
// Within one file the table nearest to the command wins. A list is taken whole from one place, never
// merged. Relative paths in a file start at that file's folder, those of flags and of the real
// environment at the working directory.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/cli/arguments.h"
#include "awry/cli/config_files.h"
#include "awry/cli/environment.h"
#include "awry/cli/options.h"

namespace awry::cli {

struct Sources {
  Environment environment;
  std::vector<ConfigFile> files;  // the strongest first
};

// What a command would understand, for telling unknown keys.
struct KnownCommand {
  std::string name;
  std::vector<std::string> keys;
};
KnownCommand known_command(std::string_view name, const OptionSet& set);

// Reads awry.toml and the user's file. `chosen` (from --config) takes the place of awry.toml and must
// exist. An unknown table or key is an error that names file, line and what was perhaps meant.
Result<std::vector<ConfigFile>> read_config_files(const std::filesystem::path& working_folder,
                                                  const Environment& environment,
                                                  const std::optional<std::filesystem::path>& chosen,
                                                  std::span<const KnownCommand> known);

// The value of one path option from flag or environment alone: --config is needed before any file is read.
std::optional<std::filesystem::path> path_before_files(const Option& option, const ParsedArguments& arguments,
                                                       const Environment& environment);

enum class Required { kCheck, kIgnore };

// Sets every option's field and origin.
Result<void> resolve(OptionSet& set, std::string_view command, const ParsedArguments& arguments,
                     const Sources& sources, Required required = Required::kCheck);

}  // namespace awry::cli
