// SPDX-License-Identifier: Apache-2.0
// Environment variables, with a .env file behind them.
//
// The real environment always wins; a variable that is set but empty counts as not given, and still hides
// the one in .env. Nothing from .env is put into the process's own environment: a file that lies in the
// working directory must not change PATH or LD_PRELOAD for the programs that awry starts.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace awry::cli {

struct EnvironmentValue {
  std::string value;
  std::string origin;            // "AWRY_SEED" or "AWRY_SEED in .env:3"
  std::filesystem::path folder;  // of the .env file: its relative paths start there; else empty
};

class Environment {
 public:
  Environment() = default;
  explicit Environment(std::map<std::string, std::string, std::less<>> real) : real_(std::move(real)) {}
  static Environment of_process();

  // Reads the nearest .env in `folder` or above it, if there is one. A file that cannot be read and lines
  // that cannot be understood are left out and told by warnings(): it may have been written for another tool.
  void read_dotenv(const std::filesystem::path& folder);

  std::optional<EnvironmentValue> find(std::string_view name) const;
  std::string value_or(std::string_view name, std::string_view otherwise) const;
  std::vector<std::string> names() const;  // of the real environment and of .env, sorted

  const std::filesystem::path& dotenv_path() const { return dotenv_path_; }  // empty: there is none
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  struct Line {
    std::string value;
    int number = 0;
  };
  void read_line(std::string_view line, int number);

  std::map<std::string, std::string, std::less<>> real_;
  std::map<std::string, Line, std::less<>> dotenv_;
  std::filesystem::path dotenv_path_;
  std::vector<std::string> warnings_;
};

// The nearest regular file of this name in `folder` or above it.
std::optional<std::filesystem::path> find_upward(const std::filesystem::path& folder, std::string_view name);

// As people would write it: relative when it lies in the working directory.
std::string shown_path(const std::filesystem::path& path);

}  // namespace awry::cli
