// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "awry/base/text.h"

namespace awry::cli {

std::vector<std::string> Option::names() const {
  if (details.also.empty()) return {name};
  return {name, details.also};
}

std::vector<std::string> Option::variables() const {
  std::vector<std::string> variables;
  for (const std::string& each : names()) {
    variables.push_back("AWRY_" + to_upper_ascii(replace_all(each, "-", "_")));
  }
  return variables;
}

std::string Option::placeholder() const {
  if (!details.placeholder.empty()) return details.placeholder;
  if (!choices.empty()) return fmt::format("{}", fmt::join(choices, "|"));
  return to_upper_ascii(name);
}

void OptionSet::flag(bool& target, std::string name, OptionDetails details) {
  bind(target, std::move(name), OptionShape::kFlag, std::move(details));
}

const Option* OptionSet::find(std::string_view name) const {
  const auto found = std::ranges::find(options_, name, &Option::name);
  return found == options_.end() ? nullptr : &*found;
}

Option& OptionSet::add(std::string name, OptionShape shape, OptionType type, OptionDetails details) {
  // Mistakes of the command's author, found by the test that declares every command of the table.
  for (const Option& other : options_) {
    if (other.is_called(name) || other.is_called(details.also) ||
        (details.letter != 0 && other.details.letter == details.letter)) {
      throw std::logic_error(fmt::format("option '{}' clashes with '{}'", name, other.name));
    }
    if (other.shape == OptionShape::kPositionals &&
        (shape == OptionShape::kPositional || shape == OptionShape::kPositionals)) {
      throw std::logic_error(fmt::format("'{}' can never be reached after '{}'", name, other.name));
    }
  }
  options_.push_back({.name = std::move(name), .shape = shape, .type = type, .details = std::move(details)});
  return options_.back();
}

Result<void> check_range(std::string_view text, const OptionDetails& details) {
  if (!details.minimum && !details.maximum) return {};
  const auto number = parse_double(text);
  if (!number) return {};  // not a number, so no range to keep
  if ((!details.minimum || *number >= *details.minimum) &&
      (!details.maximum || *number <= *details.maximum)) {
    return {};
  }
  std::string why = "a number ";
  if (details.minimum && details.maximum) {
    why += fmt::format("from {} to {} is wanted", *details.minimum, *details.maximum);
  } else if (details.minimum) {
    why += fmt::format("of at least {} is wanted", *details.minimum);
  } else {
    why += fmt::format("of at most {} is wanted", *details.maximum);
  }
  return fail({.kind = ErrorKind::kUsage, .why = std::move(why)});
}

Result<void> check_ending(std::string_view text, const OptionDetails& details) {
  if (details.endings.empty() || text == "-") return {};
  const std::string lower = to_lower_ascii(text);
  if (std::ranges::any_of(details.endings, [&](const auto& ending) { return lower.ends_with(ending); })) {
    return {};
  }
  return fail({.kind = ErrorKind::kUsage,
               .why = fmt::format("its ending chooses the format; one of {} is wanted",
                                  fmt::join(details.endings, ", "))});
}

Result<void> check_choice(std::string_view text, std::span<const std::string> names) {
  if (std::ranges::find(names, text) != names.end()) return {};
  Error error{.kind = ErrorKind::kUsage, .why = fmt::format("one of {} is wanted", fmt::join(names, ", "))};
  if (const auto near = did_you_mean(text, names)) error.hint = fmt::format("Did you mean '{}'?", *near);
  return fail(std::move(error));
}

}  // namespace awry::cli
