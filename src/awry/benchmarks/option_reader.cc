// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/option_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "awry/base/text.h"

namespace awry::benchmarks {

std::optional<std::string_view> OptionReader::find(std::string_view name) {
  known_.emplace_back(name);
  const auto option = options_.find(std::string(name));
  if (option == options_.end()) return std::nullopt;
  return option->second;
}

void OptionReader::refuse(std::string_view name, std::string_view value, std::string wanted) {
  if (first_error_) return;
  first_error_ = Error{.kind = ErrorKind::kUsage,
                       .what = fmt::format("cannot use option '{}' of protocol {}", name, protocol_),
                       .input = std::string(value),
                       .why = "it is " + std::move(wanted)};
}

bool OptionReader::flag(std::string_view name, bool otherwise) {
  const auto value = find(name);
  if (!value) return otherwise;
  const std::string word = to_lower_ascii(trim(*value));
  if (word == "true" || word == "yes" || word == "1" || word.empty()) return true;
  if (word == "false" || word == "no" || word == "0") return false;
  refuse(name, *value, "neither true nor false");
  return otherwise;
}

std::string OptionReader::text(std::string_view name, std::string_view otherwise) {
  return std::string(find(name).value_or(otherwise));
}

std::string OptionReader::choice(std::string_view name, std::span<const std::string_view> allowed) {
  const std::string_view value = find(name).value_or(allowed.front());
  if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
    refuse(name, value, fmt::format("none of {}", fmt::join(allowed, ", ")));
  }
  return std::string(value);
}

long long OptionReader::count(std::string_view name, long long otherwise) {
  const auto value = find(name);
  if (!value) return otherwise;
  const auto number = parse_integer(trim(*value));
  if (number && *number >= 0) return *number;
  refuse(name, *value, "not a whole number of 0 or more");
  return otherwise;
}

double OptionReader::number(std::string_view name, double otherwise) {
  const auto value = find(name);
  if (!value) return otherwise;
  const auto parsed = parse_double(trim(*value));
  if (parsed && std::isfinite(*parsed)) return *parsed;
  refuse(name, *value, "not a number");
  return otherwise;
}

Result<void> OptionReader::finish() const {
  for (const auto& [name, value] : options_) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    const auto meant = did_you_mean(name, known_);
    return fail(
        {.kind = ErrorKind::kUsage,
         .what = fmt::format("protocol {} has no option", protocol_),
         .input = name,
         .hint = meant ? fmt::format("Did you mean '{}'?", *meant)
                       : fmt::format("It knows {}; awry help run explains them.", fmt::join(known_, ", "))});
  }
  if (first_error_) return fail(*first_error_);
  return {};
}

}  // namespace awry::benchmarks
