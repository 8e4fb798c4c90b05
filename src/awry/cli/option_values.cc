// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/option_values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "awry/base/text.h"

namespace awry::cli {

namespace {

auto wanted(std::string_view what) {
  return fail({.kind = ErrorKind::kUsage, .why = fmt::format("{} is wanted", what)});
}

template <class Integer>
Result<void> parse_whole(std::string_view text, Integer& value, std::string_view what) {
  Integer parsed{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error == std::errc::result_out_of_range) {
    return fail({.kind = ErrorKind::kUsage, .why = "the number is too large"});
  }
  if (error != std::errc() || end != text.data() + text.size()) return wanted(what);
  value = parsed;
  return {};
}

}  // namespace

Result<void> parse_value(std::string_view text, bool& value) {
  const std::string word = to_lower_ascii(text);
  if (word == "true" || word == "yes" || word == "on" || word == "1") {
    value = true;
  } else if (word == "false" || word == "no" || word == "off" || word == "0") {
    value = false;
  } else {
    return wanted("true or false");
  }
  return {};
}

Result<void> parse_value(std::string_view text, std::string& value) {
  value = std::string(text);
  return {};
}

Result<void> parse_value(std::string_view text, int& value) {
  return parse_whole(text, value, "a whole number");
}

Result<void> parse_value(std::string_view text, std::uint64_t& value) {
  return parse_whole(text, value, "a whole number, 0 or more,");
}

Result<void> parse_value(std::string_view text, double& value) {
  const auto parsed = parse_double(text);
  if (!parsed || !std::isfinite(*parsed)) return wanted("a number");
  value = *parsed;
  return {};
}

Result<void> parse_value(std::string_view text, std::filesystem::path& value) {
  if (text.empty()) return wanted("a path");
  value = std::filesystem::path(text);
  return {};
}

std::string format_value(bool value) {
  return value ? "true" : "false";
}
std::string format_value(const std::string& value) {
  return value;
}
std::string format_value(int value) {
  return std::to_string(value);
}
std::string format_value(std::uint64_t value) {
  return std::to_string(value);
}
std::string format_value(double value) {
  return fmt::format("{}", value);
}
std::string format_value(const std::filesystem::path& value) {
  return value.string();
}

}  // namespace awry::cli
