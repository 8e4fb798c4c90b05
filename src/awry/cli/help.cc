// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "awry/base/text.h"
#include "awry/cli/version.h"

namespace awry::cli {

namespace {

constexpr int kPageWidth = 96;
constexpr int kMaxLabelWidth = 28;  // a longer label gets a line of its own

using LabelledText = std::pair<std::string, std::string>;

std::string heading(std::string_view text, bool colour) {
  return painted(Tone::kStrong, text, colour) + "\n";
}

// Labels in one column, their texts wrapped in a second.
std::string two_columns(std::span<const LabelledText> rows) {
  int label_width = 0;
  for (const auto& [label, text] : rows) {
    if (const int width = display_width(label); width <= kMaxLabelWidth) {
      label_width = std::max(label_width, width);
    }
  }
  std::string result;
  for (const auto& [label, text] : rows) {
    const int width = display_width(label);
    result += "  " + label;
    bool on_label_line = width <= label_width;
    for (const std::string& line : wrap(text, kPageWidth - label_width - 4)) {
      const int indent = on_label_line ? label_width - width + 2 : label_width + 4;
      if (!on_label_line) result += '\n';
      result += std::string(static_cast<std::size_t>(indent), ' ') + line;
      on_label_line = false;
    }
    result += '\n';
  }
  return result;
}

std::string_view group_title(CommandGroup group) {
  switch (group) {
    case CommandGroup::kInspect:
      return "What is wrong here?";
    case CommandGroup::kEvaluate:
      return "How well can a model tell?";
    case CommandGroup::kMake:
      return "Making images to ask about";
    case CommandGroup::kPeople:
      return "People who judge";
    case CommandGroup::kSetUp:
      return "Setting up";
  }
  return "";
}

std::string examples_section(std::span<const Example> examples, bool colour) {
  if (examples.empty()) return "";
  int widest = 0;
  for (const Example& example : examples) widest = std::max(widest, display_width(example.command_line));
  std::string result = "\n" + heading("Examples", colour);
  for (const auto& [line, meaning] : examples) {
    const auto padding = static_cast<std::size_t>(widest - display_width(line) + 2);
    result += "  " + line;
    const bool fits = widest + display_width(meaning) + 6 <= kPageWidth;
    if (!meaning.empty()) result += (fits ? std::string(padding, ' ') : "\n      ") + "# " + meaning;
    result += '\n';
  }
  return result;
}

std::string label_of(const Option& option) {
  if (option.is_positional()) return option.placeholder();
  std::string label =
      option.details.letter != 0 ? fmt::format("-{}, ", option.details.letter) : std::string(4, ' ');
  label += "--" + option.name;
  if (option.shape != OptionShape::kFlag) label += " " + option.placeholder();
  return label;
}

std::string default_of(const Option& option) {
  if (!option.details.default_text.empty()) return option.details.default_text;
  if (option.shape == OptionShape::kFlag || option.details.secret) return "";
  return join(option.current(), ", ");
}

std::string text_of(const Option& option) {
  std::vector<std::string> notes;
  if (option.details.required) {
    notes.push_back("required");
  } else if (const std::string text = default_of(option); !text.empty()) {
    notes.push_back("default: " + text);
  }
  if (option.shape == OptionShape::kList) notes.push_back("may be repeated");
  if (!option.details.also.empty()) notes.push_back("also --" + option.details.also);
  if (!option.is_positional()) notes.push_back(option.variables().front());
  if (notes.empty()) return option.details.help;
  return fmt::format("{} [{}]", option.details.help, join(notes, "; "));
}

std::string usage_line(const Command& command, const OptionSet& set) {
  std::string line = fmt::format("Usage: awry {} [options]", command.name);
  for (const Option& option : set.options()) {
    if (!option.is_positional()) continue;
    const std::string word = option.placeholder() + (option.takes_many() ? "..." : "");
    line += option.details.required ? " " + word : fmt::format(" [{}]", word);
  }
  return line;
}

std::string option_sections(const OptionSet& set, bool colour) {
  std::vector<std::string> groups;
  const auto group_of = [](const Option& option) {
    return option.is_positional() ? std::string("Arguments") : option.details.group;
  };
  for (const Option& option : set.options()) {
    if (std::ranges::find(groups, group_of(option)) == groups.end()) groups.push_back(group_of(option));
  }
  std::string result;
  for (const std::string& group : groups) {
    std::vector<LabelledText> rows;
    for (const Option& option : set.options()) {
      if (group_of(option) == group) rows.emplace_back(label_of(option), text_of(option));
    }
    result += "\n" + heading(group, colour) + two_columns(rows);
  }
  for (const Explanation& explanation : set.explanations()) {
    result += "\n" + heading(explanation.title, colour) + two_columns(explanation.rows);
  }
  return result;
}

}  // namespace

std::vector<std::string> wrap(std::string_view text, int columns) {
  std::vector<std::string> lines;
  std::string line;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    if (!line.empty() && display_width(line) + 1 + display_width(word) > columns) {
      lines.push_back(std::exchange(line, ""));
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

std::string overview_help(std::span<const Command> commands, bool colour) {
  std::string page =
      fmt::format("awry {}: what is wrong in this image, and how well can a model tell?\n\n", version());
  page += "Usage: awry COMMAND [options]\n";
  using enum CommandGroup;
  for (const CommandGroup group : {kInspect, kEvaluate, kMake, kPeople, kSetUp}) {
    std::vector<LabelledText> rows;
    for (const Command& command : commands) {
      if (command.group == group) rows.emplace_back(command.name, command.summary);
    }
    if (!rows.empty()) page += "\n" + heading(group_title(group), colour) + two_columns(rows);
  }
  page += "\n" + heading("Help", colour);
  const LabelledText help[] = {{"awry help COMMAND", "A command's options, defaults and examples"},
                               {"awry --version", "The version"}};
  page += two_columns(help);
  return page + examples_section(overview_examples(), colour);
}

std::string family_help(std::string_view family, std::span<const Command> commands, bool colour) {
  std::vector<LabelledText> rows;
  for (const Command& command : commands) {
    if (command.name.starts_with(fmt::format("{} ", family)))
      rows.emplace_back(command.name, command.summary);
  }
  return fmt::format("Usage: awry {} VERB [options]\n\n", family) + heading("Commands", colour) +
         two_columns(rows) + fmt::format("\nawry help {} explains one of them.\n", rows.front().first);
}

std::string command_help(const Command& command, bool colour) {
  const LiveCommand live = bring_to_life(command);
  std::string page = fmt::format(
      "{}: {}\n\n", painted(Tone::kStrong, fmt::format("awry {}", command.name), colour), command.summary);
  page += usage_line(command, live.set) + "\n";
  if (!live.set.description().empty()) {
    page += "\n" + join(wrap(live.set.description(), kPageWidth), "\n") + "\n";
  }
  page += option_sections(live.set, colour);
  page += "\n" +
          join(wrap("The name in capitals is the environment variable that sets the same; in awry.toml the "
                    "key is the option's long name. Flag, environment, awry.toml, user file, default: the "
                    "first that is given counts.",
                    kPageWidth),
               "\n") +
          "\n";
  return page + examples_section(live.set.examples(), colour);
}

}  // namespace awry::cli
