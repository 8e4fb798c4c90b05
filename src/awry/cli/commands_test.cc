// SPDX-License-Identifier: Apache-2.0
// What must hold of every command in the table, those of the future included.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "awry/base/text.h"
#include "awry/cli/dispatch.h"
#include "awry/cli/help.h"

namespace awry::cli {
namespace {

// The words of an example up to a pipe or redirection, quotes taken off.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool inside = false;
  for (const char c : line) {
    if (quote != 0) {
      c == quote ? void(quote = 0) : word.push_back(c);
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '|' || c == '>') {
      if (inside) words.push_back(std::exchange(word, ""));
      inside = false;
      if (c != ' ') return words;
    } else {
      word.push_back(c);
      inside = true;
    }
  }
  if (inside) words.push_back(word);
  return words;
}

class EveryCommand : public testing::TestWithParam<std::string> {
 protected:
  const Command& command_ = *std::ranges::find(commands(), GetParam(), &Command::name);
};

TEST_P(EveryCommand, HasASummaryFitForTheOverview) {
  const std::string_view summary = command_.summary;
  ASSERT_FALSE(summary.empty());
  EXPECT_TRUE(std::isupper(static_cast<unsigned char>(summary.front()))) << summary;
  EXPECT_FALSE(summary.ends_with('.')) << summary;
  EXPECT_LE(display_width(summary), 64) << summary;
}

TEST_P(EveryCommand, ExplainsEveryOption) {
  const LiveCommand live = bring_to_life(command_);  // throws when two options clash
  EXPECT_TRUE(live.set.description().ends_with('.')) << live.set.description();
  for (const Option& option : live.set.options()) {
    EXPECT_TRUE(option.details.help.ends_with('.')) << option.name << ": " << option.details.help;
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(option.details.help[0]))) << option.name;
    for (const char c : option.name) {
      EXPECT_TRUE(std::islower(static_cast<unsigned char>(c)) ||
                  std::isdigit(static_cast<unsigned char>(c)) || c == '-')
          << option.name;
    }
  }
}

TEST_P(EveryCommand, ShowsExamplesThatItUnderstands) {
  const LiveCommand shown = bring_to_life(command_);
  EXPECT_FALSE(shown.set.examples().empty());
  const std::vector<std::string> start = words_of(fmt::format("awry {}", command_.name));
  for (const Example& example : shown.set.examples()) {
    LiveCommand live = bring_to_life(command_);
    std::vector<std::string> words = words_of(example.command_line);
    ASSERT_GE(words.size(), start.size()) << example.command_line;
    EXPECT_TRUE(std::equal(start.begin(), start.end(), words.begin())) << example.command_line;
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(start.size()));
    const auto arguments = parse_arguments(words, live.set);
    ASSERT_TRUE(arguments) << example.command_line << ": " << arguments.error().message();
    const auto resolved = resolve(live.set, command_.name, *arguments, {});
    EXPECT_TRUE(resolved) << example.command_line << ": " << resolved.error().message();
  }
}

TEST_P(EveryCommand, SharesOptionsOnlyInOneMeaning) {
  static std::map<std::string, OptionType> types;  // a key at the top of awry.toml speaks to all commands
  const LiveCommand live = bring_to_life(command_);
  for (const Option& option : live.set.options()) {
    if (option.is_positional() || !option.details.in_files) continue;
    const auto [known, is_new] = types.emplace(option.name, option.type);
    EXPECT_EQ(known->second, option.type) << option.name;
  }
}

TEST_P(EveryCommand, AnswersHelpWithoutOpeningAFile) {
  const std::string page = command_help(command_, false);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const std::string again = command_help(command_, false);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(again, page);
  for (const std::string_view line : split_lines(page)) EXPECT_LE(display_width(line), 110) << line;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryCommand, testing::ValuesIn(command_names()), [](const auto& name) {
  return replace_all(replace_all(name.param, " ", "_"), "-", "_");
});

TEST(Overview, ListsEveryCommandUnderAGroupAndOnlyOnce) {
  const std::string page = overview_help(commands(), false);
  std::set<std::string_view> names;
  for (const Command& command : commands()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
    EXPECT_NE(page.find(fmt::format("\n  {} ", command.name)), std::string::npos) << command.name;
    EXPECT_NE(page.find(std::string(command.summary) + "\n"), std::string::npos) << command.summary;
  }
  for (const Example& example : overview_examples()) {
    const std::vector<std::string> words = words_of(example.command_line);
    EXPECT_TRUE(std::ranges::any_of(commands(), [&](const Command& command) {
      const auto name = words_of(command.name);
      return words.size() > name.size() && std::equal(name.begin(), name.end(), words.begin() + 1);
    })) << example.command_line;
  }
}

// A small table of our own, to see what dispatch does with any table.
struct EchoOptions {
  std::vector<std::string> words;
};
std::unique_ptr<CommandInstance> make_echo() {
  return make_command<EchoOptions>(
      [](EchoOptions& options, OptionSet& set) {
        set.positionals(options.words, "word", {.help = "A word."});
      },
      [](const EchoOptions& options, Context& context) -> Result<int> {
        context.out.print("{}\n", join(options.words, "+"));
        context.say("said");
        context.say_more("said more");
        return kExitGate;
      });
}
constexpr Command kTable[] = {{"echo", "Echo", CommandGroup::kSetUp, make_echo},
                              {"echo loudly", "Echo loudly", CommandGroup::kSetUp, make_echo},
                              {"tell all", "Tell all", CommandGroup::kSetUp, make_echo}};

struct Heard {
  std::string out, err;
  Result<int> code = 0;
};

Heard hear(std::vector<std::string> words, std::filesystem::path folder = "/") {
  Heard heard;
  Writer out(heard.out), err(heard.err);
  CancelToken cancel;
  heard.code = dispatch({.words = std::move(words),
                         .environment = {},
                         .working_folder = std::move(folder),
                         .out = out,
                         .err = err,
                         .cancel = cancel},
                        kTable);
  return heard;
}

TEST(Dispatch, RunsTheCommandWithTheLongestName) {
  EXPECT_EQ(hear({"echo", "a", "b"}).out, "a+b\n");
  EXPECT_EQ(hear({"echo", "loudly", "b"}).out, "b\n");
  EXPECT_EQ(hear({"echo", "--", "-h"}).out, "-h\n");
  EXPECT_EQ(*hear({"echo"}).code, kExitGate);
}

TEST(Dispatch, TalksAsMuchAsWanted) {
  EXPECT_EQ(hear({"echo"}).err, "said\n");
  EXPECT_EQ(hear({"echo", "-v"}).err, "said\nsaid more\n");
  EXPECT_EQ(hear({"echo", "-q"}).err, "");
  EXPECT_EQ(hear({"echo", "-qv"}).err, "");
}

TEST(Dispatch, HelpsWithAFamilyAndRefusesItsUnknownVerbs) {
  EXPECT_NE(hear({"tell"}).out.find("tell all"), std::string::npos);
  EXPECT_EQ(hear({"tell", "--help"}).out, hear({"tell"}).out);
  EXPECT_EQ(hear({"tell", "al"}).code.error().message(),
            "unknown command 'tell al'. Did you mean 'awry tell all'?");
}

TEST(Dispatch, SurvivesAWorkingDirectoryThatIsGone) {
  EXPECT_FALSE(hear({"--help"}, "").out.empty());
  EXPECT_EQ(hear({"echo"}, "").code.error().message(),
            "the working directory is gone. Change to a folder that exists: cd ~.");
}

TEST(Wrap, BreaksAtSpacesAndKeepsLongWords) {
  EXPECT_EQ(wrap("one two  three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("図図 図", 5), (std::vector<std::string>{"図図", "図"}));
  EXPECT_EQ(wrap("unbreakable", 3), (std::vector<std::string>{"unbreakable"}));
}

}  // namespace
}  // namespace awry::cli
