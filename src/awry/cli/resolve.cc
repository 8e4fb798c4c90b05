// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/resolve.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/base/text.h"

namespace awry::cli {

namespace fs = std::filesystem;

namespace {

// `[score]` speaks to `score` and to everything below it; the top of the file to everybody.
bool speaks_to(std::string_view table, std::string_view command) {
  return table.empty() || command == table ||
         (command.starts_with(table) && command.substr(table.size()).starts_with(' '));
}

// A value on its way to an option.
struct Candidate {
  std::vector<std::string> texts;
  Origin origin;
  std::string named;  // how an error calls the place: "--seed", "'seed' in awry.toml:3"
  fs::path folder;    // where its relative paths start; empty: the working directory
};

Error bad_value(const Candidate& candidate, const Option& option, Error error) {
  error.kind = ErrorKind::kUsage;
  error.what = fmt::format("bad value '{}' for {}",
                           option.details.secret ? "(hidden)" : join(candidate.texts, ", "), candidate.named);
  return error;
}

std::optional<Candidate> from_flag(const Option& option, const ParsedArguments& arguments) {
  const auto found = arguments.find(option.name);
  if (found == arguments.end()) return std::nullopt;
  const std::string named = option.is_positional() ? option.placeholder() : "--" + option.name;
  return Candidate{.texts = found->second, .origin = {Origin::Kind::kFlag, named}, .named = named};
}

std::optional<Candidate> from_environment(const Option& option, const Environment& environment) {
  if (option.is_positional()) return std::nullopt;
  std::optional<EnvironmentValue> found;
  for (const std::string& variable : option.variables()) {
    if (!found) found = environment.find(variable);
  }
  if (!found) return std::nullopt;
  std::vector<std::string> texts;
  if (option.takes_many()) {
    for (const std::string_view item : split(found->value, ',')) texts.emplace_back(trim(item));
  } else {
    texts.push_back(found->value);
  }
  const auto kind = found->folder.empty() ? Origin::Kind::kEnvironment : Origin::Kind::kDotEnv;
  return Candidate{.texts = std::move(texts),
                   .origin = {kind, found->origin},
                   .named = found->origin,
                   .folder = std::move(found->folder)};
}

// TOML knows types, so that `seed = "seven"` and `model = 7` can both be told apart from what was meant.
Result<void> check_types(const ConfigEntry& entry, const Option& option) {
  if (entry.is_list && !option.takes_many()) {
    return fail({.why = "one value is wanted, not a list"});
  }
  for (const OptionType type : entry.types) {
    const bool boolean_wanted = option.type == OptionType::kBoolean;
    if (boolean_wanted != (type == OptionType::kBoolean)) {
      return fail({.why = boolean_wanted ? "true or false is wanted, without quotes"
                                         : "a number or text is wanted, not true or false"});
    }
  }
  return {};
}

Result<std::optional<Candidate>> from_file(const Option& option, std::string_view command,
                                           const ConfigFile& file) {
  if (option.is_positional() || !option.details.in_files) return std::nullopt;
  const ConfigEntry* nearest = nullptr;
  for (const ConfigEntry& entry : file.entries) {
    if (!option.is_called(entry.key) || !speaks_to(entry.table, command)) continue;
    if (nearest == nullptr || entry.table.size() > nearest->table.size()) nearest = &entry;
  }
  if (nearest == nullptr) return std::nullopt;
  Candidate candidate{.texts = nearest->values,
                      .origin = {file.kind, file.place(nearest->line)},
                      .named = fmt::format("'{}' in {}", nearest->key, file.place(nearest->line)),
                      .folder = file.path.parent_path()};
  if (auto checked = check_types(*nearest, option); !checked) {
    return fail(bad_value(candidate, option, checked.error()));
  }
  return candidate;
}

Result<std::optional<Candidate>> strongest(const Option& option, std::string_view command,
                                           const ParsedArguments& arguments, const Sources& sources) {
  if (auto candidate = from_flag(option, arguments)) return candidate;
  if (auto candidate = from_environment(option, sources.environment)) return candidate;
  for (const ConfigFile& file : sources.files) {
    AWRY_TRY_ASSIGN(auto candidate, from_file(option, command, file));
    if (candidate) return candidate;
  }
  return std::nullopt;
}

fs::path placed(const std::string& text, const fs::path& folder) {
  const fs::path path = text;
  const bool is_stdin = text == "-";
  return folder.empty() || path.is_absolute() || is_stdin || text.empty() ? path : folder / path;
}

Error missing(const Option& option, std::string_view command) {
  if (option.is_positional()) {
    return {.kind = ErrorKind::kUsage,
            .what = fmt::format("{} is missing", option.placeholder()),
            .hint = fmt::format("See awry {} --help.", command)};
  }
  return {.kind = ErrorKind::kUsage,
          .what = fmt::format("option --{} is missing", option.name),
          .hint = fmt::format("Give it, or set {} or the key '{}' in awry.toml.", option.variables().front(),
                              option.name)};
}

std::string as_table_name(std::string_view command) {
  return replace_all(command, " ", ".");
}

const KnownCommand* owner_of(std::string_view key, std::span<const KnownCommand> known) {
  const auto owner = std::ranges::find_if(known, [&](const KnownCommand& command) {
    return std::ranges::find(command.keys, key) != command.keys.end();
  });
  return owner == known.end() ? nullptr : &*owner;
}

Error unknown_name(std::string_view what, std::string_view name, const std::string& place,
                   std::span<const std::string> candidates) {
  Error error{
      .kind = ErrorKind::kUsage, .what = fmt::format("unknown {} '{}' in", what, name), .input = place};
  if (const auto near = did_you_mean(name, candidates)) error.hint = fmt::format("Did you mean '{}'?", *near);
  return error;
}

Result<void> check_names(const ConfigFile& file, std::span<const KnownCommand> known) {
  for (const ConfigTable& table : file.tables) {
    const auto speaks = [&](const KnownCommand& command) { return speaks_to(table.name, command.name); };
    if (std::ranges::any_of(known, speaks)) continue;
    std::vector<std::string> names;
    for (const KnownCommand& command : known) names.push_back(as_table_name(command.name));
    return fail(unknown_name("table", as_table_name(table.name), file.place(table.line), names));
  }
  for (const ConfigEntry& entry : file.entries) {
    std::vector<std::string> keys;
    for (const KnownCommand& command : known) {
      if (speaks_to(entry.table, command.name)) {
        keys.insert(keys.end(), command.keys.begin(), command.keys.end());
      }
    }
    if (std::ranges::find(keys, entry.key) != keys.end()) continue;
    Error error = unknown_name("key", entry.key, file.place(entry.line), keys);
    if (error.hint.empty()) error.hint = "Keys are the long names of options; see awry COMMAND --help.";
    if (const KnownCommand* owner = owner_of(entry.key, known); owner != nullptr) {
      error.hint = fmt::format("It belongs to [{}].", as_table_name(owner->name));
    }
    return fail(std::move(error));
  }
  return {};
}

}  // namespace

KnownCommand known_command(std::string_view name, const OptionSet& set) {
  KnownCommand known{.name = std::string(name)};
  for (const Option& option : set.options()) {
    if (option.is_positional() || !option.details.in_files) continue;
    for (std::string& key : option.names()) known.keys.push_back(std::move(key));
  }
  return known;
}

Result<std::vector<ConfigFile>> read_config_files(const fs::path& working_folder,
                                                  const Environment& environment,
                                                  const std::optional<fs::path>& chosen,
                                                  std::span<const KnownCommand> known) {
  std::vector<ConfigFile> files;
  if (const auto project = chosen ? chosen : find_project_file(working_folder)) {
    auto file = read_config_file(working_folder / *project, Origin::Kind::kProjectFile);
    if (!file) {
      Error error = file.error();
      error.kind = ErrorKind::kUsage;  // a configuration that is not there is a wrong command line
      return fail(std::move(error));
    }
    files.push_back(std::move(*file));
  }
  std::error_code ignored;  // a user file that cannot be seen is a user file that is not there
  if (const auto user = user_file_path(environment); user && fs::is_regular_file(*user, ignored)) {
    AWRY_TRY_ASSIGN(auto file, read_config_file(*user, Origin::Kind::kUserFile));
    files.push_back(std::move(file));
  }
  for (const ConfigFile& file : files) AWRY_TRY(check_names(file, known));
  return files;
}

std::optional<fs::path> path_before_files(const Option& option, const ParsedArguments& arguments,
                                          const Environment& environment) {
  auto candidate = from_flag(option, arguments);
  if (!candidate) candidate = from_environment(option, environment);
  if (!candidate) return std::nullopt;
  return placed(candidate->texts.back(), candidate->folder);
}

Result<void> resolve(OptionSet& set, std::string_view command, const ParsedArguments& arguments,
                     const Sources& sources, Required required) {
  for (Option& option : set.options()) {
    AWRY_TRY_ASSIGN(auto candidate, strongest(option, command, arguments, sources));
    if (!candidate) {
      if (option.details.required && required == Required::kCheck) return fail(missing(option, command));
      continue;
    }
    std::vector<std::string> texts = candidate->texts;
    if (option.type == OptionType::kPath) {
      for (std::string& text : texts) text = placed(text, candidate->folder).string();
    }
    if (auto assigned = option.assign(texts); !assigned) {
      return fail(bad_value(*candidate, option, assigned.error()));
    }
    option.origin = candidate->origin;
  }
  return {};
}

}  // namespace awry::cli
