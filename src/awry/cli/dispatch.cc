// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/dispatch.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/base/text.h"
#include "awry/cli/colour.h"
#include "awry/cli/help.h"
#include "awry/cli/version.h"

namespace awry::cli {

namespace {

using Words = std::span<const std::string>;

bool asks_for_help(const std::string& word) {
  return word == "-h" || word == "--help";
}

bool contains_help_flag(Words words) {
  return std::any_of(words.begin(), std::find(words.begin(), words.end(), "--"), asks_for_help);
}

bool starts_with_name(Words words, std::string_view name) {
  const auto parts = split(name, ' ');
  return parts.size() <= words.size() && std::equal(parts.begin(), parts.end(), words.begin());
}

// The longest name wins, so that `score` and `score themis` can live side by side.
const Command* find_command(Words words, std::span<const Command> commands) {
  const Command* best = nullptr;
  for (const Command& command : commands) {
    if (starts_with_name(words, command.name) &&
        (best == nullptr || command.name.size() > best->name.size())) {
      best = &command;
    }
  }
  return best;
}

bool is_family(std::string_view word, std::span<const Command> commands) {
  return std::ranges::any_of(
      commands, [&](const Command& command) { return command.name.starts_with(fmt::format("{} ", word)); });
}

Error unknown_command(Words words, std::span<const Command> commands) {
  const bool option_first = words[0].starts_with('-');
  const bool verb_given = words.size() > 1 && is_family(words[0], commands);
  const std::string typed = verb_given ? words[0] + " " + words[1] : words[0];
  Error error{.kind = ErrorKind::kUsage,
              .what = fmt::format("unknown {} '{}'", option_first ? "option" : "command", typed),
              .hint = "See awry --help."};
  if (option_first) {
    error.hint = "Options come after the command; see awry --help.";
    return error;
  }
  std::vector<std::string> candidates;
  for (const Command& command : commands) {
    candidates.emplace_back(command.name);
    if (const auto space = command.name.find(' '); space != std::string_view::npos && !verb_given) {
      candidates.emplace_back(command.name.substr(0, space));
    }
  }
  if (const auto near = did_you_mean(typed, candidates))
    error.hint = fmt::format("Did you mean 'awry {}'?", *near);
  return error;
}

// What `awry help WORDS` and `awry WORDS --help` print.
Result<std::string> help_for(Words words, std::span<const Command> commands, bool colour) {
  if (words.empty()) return overview_help(commands, colour);
  if (const Command* command = find_command(words, commands)) return command_help(*command, colour);
  if (is_family(words[0], commands) && (words.size() == 1 || words[1].starts_with('-'))) {
    return family_help(words[0], commands, colour);
  }
  return fail(unknown_command(words, commands));
}

Result<int> run_command(Surroundings& around, const Command& command, std::span<const Command> commands) {
  LiveCommand live = bring_to_life(command);
  const std::size_t name_words = split(command.name, ' ').size();
  const auto point_to_help = [&](Error error) {
    if (error.hint.empty()) error.hint = fmt::format("See awry {} --help.", command.name);
    return error;
  };
  AWRY_TRY_ASSIGN(
      const ParsedArguments arguments,
      parse_arguments(Words(around.words).subspan(name_words), live.set).map_error(point_to_help));
  if (around.working_folder.empty()) {
    return fail({.kind = ErrorKind::kIo,
                 .what = "the working directory is gone",
                 .hint = "Change to a folder that exists: cd ~."});
  }

  Sources sources{.environment = std::move(around.environment)};
  sources.environment.read_dotenv(around.working_folder);

  std::vector<KnownCommand> known;
  for (const Command& other : commands) known.push_back(known_command(other.name, bring_to_life(other).set));
  const auto chosen = path_before_files(*live.set.find("config"), arguments, sources.environment);
  std::optional<Error> broken;
  if (auto files = read_config_files(around.working_folder, sources.environment, chosen, known)) {
    sources.files = std::move(*files);
  } else if (command.broken_configuration == BrokenConfiguration::kGoOn) {
    broken = files.error();
  } else {
    return fail(files.error());
  }
  AWRY_TRY(resolve(live.set, command.name, arguments, sources));

  around.out.set_colour(wants_colour(live.talk->colour, sources.environment, around.out_is_terminal));
  around.err.set_colour(wants_colour(live.talk->colour, sources.environment, around.err_is_terminal));
  Context context{.out = around.out,
                  .err = around.err,
                  .cancel = around.cancel,
                  .working_folder = around.working_folder,
                  .sources = sources,
                  .settings = live.set,
                  .commands = commands,
                  .configuration_error = std::move(broken),
                  .talk = *live.talk,
                  .out_is_terminal = around.out_is_terminal,
                  .err_is_terminal = around.err_is_terminal};
  for (const std::string& warning : sources.environment.warnings()) context.say("awry: {}", warning);
  return live.instance->run(context);
}

}  // namespace

Result<int> dispatch(Surroundings around, std::span<const Command> commands) {
  const Words words = around.words;
  const bool colour = around.out.colour();
  if (!words.empty() && (words[0] == "--version" || words[0] == "-V")) {
    around.out.print("awry {}\n", version());
    return kExitDone;
  }
  const bool help_first = !words.empty() && (words[0] == "help" || asks_for_help(words[0]));
  const bool bare_family =
      words.size() == 1 && is_family(words[0], commands) && find_command(words, commands) == nullptr;
  if (words.empty() || help_first || bare_family || contains_help_flag(words)) {
    AWRY_TRY_ASSIGN(const std::string page, help_for(words.subspan(help_first ? 1 : 0), commands, colour));
    around.out.write(page);
    return kExitDone;
  }
  const Command* command = find_command(words, commands);
  if (command == nullptr) return fail(unknown_command(words, commands));
  return run_command(around, *command, commands);
}

}  // namespace awry::cli
