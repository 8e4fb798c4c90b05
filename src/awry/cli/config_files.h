// SPDX-License-Identifier: Apache-2.0
// awry.toml of the project and config.toml of the user, read into plain entries that know their line.
//
//   seed = 7              # for every command that has --seed
//   [score]               # for `score` and for all commands below it
//   [score.themis]        # for `score themis` alone
//   threshold = 0.4
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/cli/environment.h"
#include "awry/cli/options.h"

namespace awry::cli {

struct ConfigEntry {
  std::string table;  // "score themis"; empty at the top of the file
  std::string key;
  std::vector<std::string> values;
  std::vector<OptionType> types;  // of each value: kBoolean, kNumber or kText
  bool is_list = false;
  int line = 0;
};

struct ConfigTable {
  std::string name;
  int line = 0;
};

struct ConfigFile {
  std::filesystem::path path;
  Origin::Kind kind = Origin::Kind::kProjectFile;
  std::vector<ConfigEntry> entries;
  std::vector<ConfigTable> tables;

  std::string place(int line) const;  // "awry.toml:3"
};

Result<ConfigFile> read_config_file(const std::filesystem::path& path, Origin::Kind kind);

std::string_view toml_library_version();

// Where files may lie. The project's is the nearest awry.toml in `folder` or above it.
std::optional<std::filesystem::path> find_project_file(const std::filesystem::path& folder);
// $XDG_CONFIG_HOME/awry/config.toml, else ~/.config/awry/config.toml; whether or not it exists.
std::optional<std::filesystem::path> user_file_path(const Environment& environment);

}  // namespace awry::cli
