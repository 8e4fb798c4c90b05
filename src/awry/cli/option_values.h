// SPDX-License-Identifier: Apache-2.0
// Text to option values and back, the same for flags, environment and files.
//
// A type becomes usable as an option by having these two functions, found beside the type:
//   Result<void> parse_value(std::string_view text, T& value);   // the error's `why` says what is wanted
//   std::string format_value(const T& value);                    // "" when unset; parses back to `value`
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "awry/base/result.h"

namespace awry::cli {

Result<void> parse_value(std::string_view text, bool& value);  // true/false, yes/no, on/off, 1/0
Result<void> parse_value(std::string_view text, std::string& value);
Result<void> parse_value(std::string_view text, int& value);
Result<void> parse_value(std::string_view text, std::uint64_t& value);
Result<void> parse_value(std::string_view text, double& value);  // finite
Result<void> parse_value(std::string_view text, std::filesystem::path& value);

std::string format_value(bool value);
std::string format_value(const std::string& value);
std::string format_value(int value);
std::string format_value(std::uint64_t value);
std::string format_value(double value);  // shortest text that reads back as the same number
std::string format_value(const std::filesystem::path& value);

template <class T>
Result<void> parse_value(std::string_view text, std::optional<T>& value) {
  T parsed{};
  AWRY_TRY(parse_value(text, parsed));
  value = std::move(parsed);
  return {};
}

template <class T>
std::string format_value(const std::optional<T>& value) {
  return value ? format_value(*value) : std::string();
}

}  // namespace awry::cli
