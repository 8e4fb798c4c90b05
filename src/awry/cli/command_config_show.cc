// SPDX-License-Identifier: Apache-2.0
// awry config show: what is in force, written as TOML that could be pasted into awry.toml.
#include <algorithm>

#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/cli/command.h"

namespace awry::cli {

namespace {

struct ConfigShowOptions {
  std::vector<std::string> command;
  bool origin = false;
  bool json = false;
};

void declare(ConfigShowOptions& options, OptionSet& set) {
  set.describe(
      "Prints the value of every option as environment and configuration files leave it, before any flag. "
      "Secrets are never printed.");
  set.positionals(options.command, "command", {.help = "Only the options of this command."});
  set.flag(options.origin, "origin", {.help = "Say beside each value where it comes from."});
  declare_json(set, options.json);
  set.example("awry config show", "all settings");
  set.example("awry config show doctor --origin", "those of one command, with file and line");
}

struct Setting {
  std::string name, toml, origin;  // toml is empty when the option is not set
  Json json;
  bool operator==(const Setting&) const = default;
};

struct CommandSettings {
  std::string command;
  std::vector<Setting> settings;
};

std::string toml_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::vector<std::string> shown_values(const Option& option) {
  std::vector<std::string> texts = option.current();
  if (option.details.secret && !texts.empty()) texts = {"(hidden)"};
  return texts;
}

Json as_json(const Option& option) {
  Json values = Json::array();
  for (const std::string& text : shown_values(option)) {
    const auto whole = parse_integer(text);
    const auto number = parse_double(text);
    if (option.type == OptionType::kBoolean) {
      values.push_back(text == "true");
    } else if (option.type == OptionType::kNumber && number) {
      values.push_back(whole ? Json(*whole) : Json(*number));
    } else {
      values.push_back(text);
    }
  }
  if (option.takes_many()) return values;
  return values.empty() ? Json() : values.front();
}

std::string as_toml(const Option& option) {
  const bool bare = option.type == OptionType::kBoolean || option.type == OptionType::kNumber;
  std::vector<std::string> texts = shown_values(option);
  for (std::string& text : texts) {
    if (!bare) text = toml_text(text);
  }
  if (option.takes_many()) return fmt::format("[{}]", join(texts, ", "));
  return texts.empty() ? "" : texts.front();
}

Result<CommandSettings> settings_of(const Command& command, const Sources& sources) {
  LiveCommand live = bring_to_life(command);
  AWRY_TRY(resolve(live.set, command.name, {}, sources, Required::kIgnore));
  CommandSettings result{.command = std::string(command.name)};
  for (const Option& option : live.set.options()) {
    if (option.is_positional() || !option.details.in_files) continue;
    result.settings.push_back({option.name, as_toml(option), option.origin.text, as_json(option)});
  }
  return result;
}

// Takes out of each command what all of them have alike, so that it is said once.
CommandSettings take_shared(std::vector<CommandSettings>& all) {
  CommandSettings shared;
  if (all.size() < 2) return shared;
  for (const Setting& setting : all.front().settings) {
    const bool everywhere = std::ranges::all_of(all, [&](const CommandSettings& each) {
      return std::ranges::find(each.settings, setting) != each.settings.end();
    });
    if (everywhere) shared.settings.push_back(setting);
  }
  for (CommandSettings& each : all) {
    std::erase_if(each.settings, [&](const Setting& setting) {
      return std::ranges::find(shared.settings, setting) != shared.settings.end();
    });
  }
  return shared;
}

void print_toml(Writer& out, const CommandSettings& block, bool with_origin) {
  std::vector<std::string> lines;
  int width = 0;
  for (const Setting& setting : block.settings) {
    lines.push_back(setting.toml.empty() ? fmt::format("# {} is not set", setting.name)
                                         : fmt::format("{} = {}", setting.name, setting.toml));
    if (!setting.toml.empty()) width = std::max(width, display_width(lines.back()));
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out.write(lines[i]);
    if (with_origin && !block.settings[i].toml.empty()) {
      const auto padding = static_cast<std::size_t>(width - display_width(lines[i]) + 2);
      out.write(std::string(padding, ' ') + out.paint(Tone::kDim, "# " + block.settings[i].origin));
    }
    out.write("\n");
  }
}

void print_json(Writer& out, std::span<const CommandSettings> all) {
  Json rows = Json::array();
  for (const CommandSettings& block : all) {
    for (const Setting& setting : block.settings) {
      rows.push_back({{"command", block.command},
                      {"option", setting.name},
                      {"value", setting.json},
                      {"origin", setting.origin}});
    }
  }
  out.write(dump_json_pretty(rows));
}

bool is_meant(std::string_view command, std::string_view wanted) {
  return wanted.empty() || command == wanted || command.starts_with(fmt::format("{} ", wanted));
}

Result<int> run(const ConfigShowOptions& options, Context& context) {
  const std::string wanted = join(options.command, " ");
  std::vector<CommandSettings> all;
  std::vector<std::string> names;
  for (const Command& command : context.commands) {
    names.emplace_back(command.name);
    if (!is_meant(command.name, wanted)) continue;
    AWRY_TRY_ASSIGN(auto settings, settings_of(command, context.sources));
    all.push_back(std::move(settings));
  }
  if (all.empty()) {
    Error error{.kind = ErrorKind::kUsage, .what = "unknown command", .input = wanted};
    if (const auto near = did_you_mean(wanted, names)) error.hint = fmt::format("Did you mean '{}'?", *near);
    return fail(std::move(error));
  }
  if (options.json) {
    print_json(context.out, all);
    return kExitDone;
  }
  const CommandSettings shared = take_shared(all);
  bool first = shared.settings.empty();
  if (!first) context.out.write(wanted.empty() ? "# for every command\n" : "# for all of these\n");
  print_toml(context.out, shared, options.origin);
  for (const CommandSettings& block : all) {
    if (block.settings.empty()) continue;
    if (!std::exchange(first, false)) context.out.write("\n");
    context.out.print(
        "{}\n", context.out.paint(Tone::kStrong, fmt::format("[{}]", replace_all(block.command, " ", "."))));
    print_toml(context.out, block, options.origin);
  }
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_config_show() {
  return make_command<ConfigShowOptions>(declare, run);
}

}  // namespace awry::cli
