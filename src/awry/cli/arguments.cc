// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "awry/base/text.h"

namespace awry::cli {

namespace {

// What takes a flag back: --no-json, and --cache for the flag no-cache.
std::string opposite_of(const Option& flag) {
  return flag.name.starts_with("no-") ? "--" + flag.name.substr(3) : "--no-" + flag.name;
}

std::string spelling_for_cli11(const Option& option) {
  std::string spelling = "--" + option.name;
  if (!option.details.also.empty()) spelling += ",--" + option.details.also;
  if (option.details.letter != 0) spelling += fmt::format(",-{}", option.details.letter);
  if (option.shape == OptionShape::kFlag) spelling += ",!" + opposite_of(option);
  return spelling;
}

// "--runs" or "-r", for the option `runs` with the letter r.
bool names(std::string_view word, const Option& option) {
  if (option.is_positional()) return false;
  if (word.starts_with("--")) return option.is_called(word.substr(2));
  return option.details.letter != 0 && word == fmt::format("-{}", option.details.letter);
}

bool names_option(std::string_view word, const OptionSet& set) {
  return std::ranges::any_of(set.options(), [&](const Option& option) {
    return names(word, option) || (option.shape == OptionShape::kFlag && word == opposite_of(option));
  });
}

Error needs_value(const Option& option, std::string why) {
  return {.kind = ErrorKind::kUsage,
          .what = fmt::format("option '--{}' needs a value", option.name),
          .why = std::move(why),
          .hint = fmt::format("Write --{} {}.", option.name, option.placeholder())};
}

// CLI11 takes whatever follows as the value, so that `-o --json` would write a file named "--json".
Result<void> check_values_present(std::span<const std::string> words, const OptionSet& set) {
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    for (const Option& option : set.options()) {
      if (option.shape != OptionShape::kValue && option.shape != OptionShape::kList) continue;
      if (words[i].ends_with('=') && names(words[i].substr(0, words[i].size() - 1), option)) {
        return fail(needs_value(option, "nothing follows the '='"));
      }
      if (!names(words[i], option)) continue;
      if (i + 1 == words.size()) return fail(needs_value(option, ""));
      if (words[i + 1] == "--" || names_option(words[i + 1], set)) {
        return fail(needs_value(option, fmt::format("'{}' follows", words[i + 1])));
      }
      ++i;  // the value itself
      break;
    }
  }
  return {};
}

Error unknown_option(std::string_view word, const OptionSet& set) {
  const std::string_view name = word.substr(0, word.find('='));
  std::vector<std::string> known{"--help"};
  for (const Option& option : set.options()) {
    if (!option.is_positional()) known.push_back("--" + option.name);
    if (option.shape == OptionShape::kFlag) known.push_back(opposite_of(option));
  }
  Error error{.kind = ErrorKind::kUsage, .what = "unknown option", .input = std::string(name)};
  if (const auto near = did_you_mean(name, known)) error.hint = fmt::format("Did you mean '{}'?", *near);
  if (name == "--help") error.what = "a value makes no sense for", error.hint.clear();
  return error;
}

// Word processors turn -- into a long dash, and people paste commands from them.
std::optional<std::string> without_long_dash(std::string_view word) {
  for (const std::string_view dash : {"\u2014", "\u2013", "\u2212"}) {
    if (word.starts_with(dash)) return "--" + std::string(word.substr(dash.size()));
  }
  return std::nullopt;
}

Result<void> take_plain_words(std::span<const std::string> words, const OptionSet& set,
                              ParsedArguments& parsed) {
  auto word = words.begin();
  for (const Option& option : set.options()) {
    if (word == words.end() || !option.is_positional()) continue;
    const auto end = option.shape == OptionShape::kPositionals ? words.end() : word + 1;
    parsed[option.name].assign(word, end);
    word = end;
  }
  if (word == words.end()) return {};
  Error error{.kind = ErrorKind::kUsage, .what = fmt::format("unexpected argument '{}'", *word)};
  if (const auto meant = without_long_dash(*word)) {
    error.why = "it begins with a long dash";
    error.hint = fmt::format("Did you mean '{}'?", *meant);
  }
  return fail(std::move(error));
}

}  // namespace

Result<ParsedArguments> parse_arguments(std::span<const std::string> words, const OptionSet& set) {
  AWRY_TRY(check_values_present(words, set));

  CLI::App app;
  app.set_help_flag();  // help is answered before anything is parsed
  app.allow_extras();
  std::map<std::string, CLI::Option*> known;
  std::vector<std::vector<std::string>> texts(set.options().size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Option& option = set.options()[i];
    if (option.is_positional()) continue;
    known[option.name] = option.shape == OptionShape::kFlag
                             ? app.add_flag(spelling_for_cli11(option), texts[i])
                             : app.add_option(spelling_for_cli11(option), texts[i])->expected(1);
    known[option.name]->take_all()->allow_extra_args(false);
  }
  try {
    // CLI11 wants the last word first.
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    return fail({.kind = ErrorKind::kUsage, .what = "cannot read the command line", .why = error.what()});
  }

  ParsedArguments parsed;
  for (const auto& [name, option] : known) {
    if (option->count() > 0) parsed[name] = option->results();
  }
  std::vector<std::string> plain;
  bool only_plain = false;
  for (const std::string& word : app.remaining()) {
    if (!only_plain && word == "--") {
      only_plain = true;
    } else if (!only_plain && word.size() > 1 && word.front() == '-') {
      return fail(unknown_option(word, set));
    } else {
      plain.push_back(word);
    }
  }
  AWRY_TRY(take_plain_words(plain, set, parsed));
  return parsed;
}

std::string_view cli11_version() {
  return CLI11_VERSION;
}

}  // namespace awry::cli
