// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/resolve.h"

#include <gtest/gtest.h>

#include "awry/base/files.h"
#include "awry/cli/common_options.h"

namespace awry::cli {
namespace {

namespace fs = std::filesystem;

struct Fields {
  std::string model = "built-in";
  std::vector<std::string> tags;
  fs::path runs = "runs";
  std::uint64_t seed = 1;
  bool json = false;
  double share = 0.5;
  std::string key;
  fs::path output;
  TalkOptions talk;
};

// A command `score themis` with one option of each kind, and every place a value can come from.
class Resolve : public testing::Test {
 protected:
  Resolve() {
    set_.value(fields_.model, "model", {.help = "M."});
    set_.list(fields_.tags, "tag", {.help = "T."});
    declare_runs_folder(set_, fields_.runs);
    declare_seed(set_, fields_.seed);
    declare_json(set_, fields_.json);
    set_.value(fields_.share, "share", {.help = "S.", .minimum = 0, .maximum = 1});
    set_.value(fields_.key, "api-key", {.help = "K.", .secret = true});
    declare_output(set_, fields_.output);
    declare_talk(set_, fields_.talk);
    fs::create_directories(project_ / "deep");
    fs::create_directories(home_ / "awry");
  }

  void write(const fs::path& path, std::string_view text) { ASSERT_TRUE(write_file(path, text)); }

  Result<void> try_resolve(ParsedArguments arguments = {}) {
    Sources sources{.environment = Environment(real_)};
    sources.environment.read_dotenv(project_ / "deep");
    const KnownCommand known[] = {known_command("score themis", set_), {"doctor", {"health"}}};
    AWRY_TRY_ASSIGN(sources.files,
                    read_config_files(project_ / "deep", sources.environment, std::nullopt, known));
    return resolve(set_, "score themis", arguments, sources);
  }
  void resolve_all(ParsedArguments arguments = {}) {
    const auto resolved = try_resolve(std::move(arguments));
    ASSERT_TRUE(resolved) << resolved.error().message();
  }
  std::string complaint(ParsedArguments arguments = {}) {
    const auto resolved = try_resolve(std::move(arguments));
    if (resolved) return "";
    EXPECT_EQ(resolved.error().kind, ErrorKind::kUsage);
    return resolved.error().message();
  }
  Origin::Kind origin(std::string_view name) { return set_.find(name)->origin.kind; }

  TemporaryFolder folder_;
  const fs::path project_ = folder_.path() / "project", home_ = folder_.path() / "home";
  std::map<std::string, std::string, std::less<>> real_ = {{"XDG_CONFIG_HOME", home_.string()}};
  Fields fields_;
  OptionSet set_;
};

TEST_F(Resolve, LetsTheStrongestSourceWin) {
  using Kind = Origin::Kind;
  resolve_all();
  EXPECT_EQ(fields_.model, "built-in");
  EXPECT_EQ(origin("model"), Kind::kDefault);

  write(home_ / "awry" / "config.toml", "model = 'user'");
  resolve_all();
  EXPECT_EQ(fields_.model, "user");
  EXPECT_EQ(origin("model"), Kind::kUserFile);

  write(project_ / "awry.toml", "model = 'project'");
  resolve_all();
  EXPECT_EQ(fields_.model, "project");
  EXPECT_EQ(origin("model"), Kind::kProjectFile);

  write(project_ / ".env", "AWRY_MODEL=dotenv");
  resolve_all();
  EXPECT_EQ(fields_.model, "dotenv");
  EXPECT_EQ(origin("model"), Kind::kDotEnv);

  real_["AWRY_MODEL"] = "environment";
  resolve_all();
  EXPECT_EQ(fields_.model, "environment");
  EXPECT_EQ(origin("model"), Kind::kEnvironment);

  resolve_all({{"model", {"first", "flag"}}});
  EXPECT_EQ(fields_.model, "flag");
  EXPECT_EQ(origin("model"), Kind::kFlag);
}

TEST_F(Resolve, PrefersTheTableNearestToTheCommand) {
  write(project_ / "awry.toml", "[score.themis]\nseed = 3\n[score]\nseed = 2\nmodel = 'family'\n[doctor]\n");
  resolve_all();
  EXPECT_EQ(fields_.seed, 3u);
  EXPECT_EQ(fields_.model, "family");
}

TEST_F(Resolve, TreatsAnEmptyVariableAsNotGivenAndHidesDotenv) {
  write(project_ / ".env", "AWRY_MODEL=dotenv");
  write(project_ / "awry.toml", "model = 'project'");
  real_["AWRY_MODEL"] = "";
  resolve_all();
  EXPECT_EQ(fields_.model, "project");
}

TEST_F(Resolve, StartsRelativePathsWhereTheyAreWritten) {
  write(project_ / "awry.toml", "runs = 'results'");
  resolve_all();
  EXPECT_EQ(fields_.runs, project_ / "results");
  write(project_ / ".env", "AWRY_RUNS=elsewhere");
  resolve_all();
  EXPECT_EQ(fields_.runs, project_ / "elsewhere");
  real_["AWRY_RUNS"] = "here";
  resolve_all();
  EXPECT_EQ(fields_.runs, "here");
  resolve_all({{"runs", {"/there"}}});
  EXPECT_EQ(fields_.runs, "/there");
}

TEST_F(Resolve, TakesAListWholeFromOnePlace) {
  write(project_ / "awry.toml", "tag = ['a', 'b']");
  resolve_all();
  EXPECT_EQ(fields_.tags, (std::vector<std::string>{"a", "b"}));
  real_["AWRY_TAG"] = "c, 図";
  resolve_all();
  EXPECT_EQ(fields_.tags, (std::vector<std::string>{"c", "図"}));
  resolve_all({{"tag", {"d,e"}}});
  EXPECT_EQ(fields_.tags, (std::vector<std::string>{"d,e"}));
}

TEST_F(Resolve, UnderstandsTheOtherSpellingEverywhere) {
  write(project_ / "awry.toml", "color = 'never'");
  resolve_all();
  EXPECT_EQ(fields_.talk.colour, ColourChoice::kNever);
  real_["AWRY_COLOR"] = "always";
  resolve_all();
  EXPECT_EQ(fields_.talk.colour, ColourChoice::kAlways);
}

TEST_F(Resolve, NamesFileLineAndNeighbourOfAnUnknownKey) {
  write(project_ / "awry.toml", "\n\nsed = 3\n");
  EXPECT_TRUE(complaint().ends_with("awry.toml:3'. Did you mean 'seed'?")) << complaint();
  write(project_ / "awry.toml", "[score.thmis]\nseed = 3\n");
  EXPECT_TRUE(complaint().ends_with("awry.toml:1'. Did you mean 'score.themis'?")) << complaint();
  write(project_ / "awry.toml", "[score]\nhealth = 3\n");
  EXPECT_TRUE(complaint().ends_with("awry.toml:2'. It belongs to [doctor].")) << complaint();
  write(project_ / "awry.toml", "config = 'x'");  // makes sense as a flag only
  EXPECT_TRUE(complaint().starts_with("unknown key 'config'")) << complaint();
}

TEST_F(Resolve, SaysWhichValueIsWrongAndWhereItCameFrom) {
  EXPECT_EQ(complaint({{"seed", {"seven"}}}),
            "bad value 'seven' for --seed: a whole number, 0 or more, is wanted");
  EXPECT_EQ(complaint({{"seed", {"99999999999999999999"}}}),
            "bad value '99999999999999999999' for --seed: the number is too large");
  EXPECT_EQ(complaint({{"share", {"1.5"}}}), "bad value '1.5' for --share: a number from 0 to 1 is wanted");
  EXPECT_EQ(complaint({{"share", {"nan"}}}), "bad value 'nan' for --share: a number is wanted");
  EXPECT_EQ(complaint({{"colour", {"nevr"}}}),
            "bad value 'nevr' for --colour: one of auto, always, never is wanted. Did you mean 'never'?");
  real_["AWRY_JSON"] = "perhaps";
  EXPECT_EQ(complaint(), "bad value 'perhaps' for AWRY_JSON: true or false is wanted");
}

TEST_F(Resolve, RefusesAnOutputNobodyCanWriteBeforeTheWorkIsDone) {
  EXPECT_EQ(complaint({{"output", {"table.xlsx"}}}),
            "bad value 'table.xlsx' for --output: its ending chooses the format; one of .json, .jsonl, .csv, "
            ".md, .txt is wanted");
  resolve_all({{"output", {"Table.CSV"}}});
  resolve_all({{"output", {"-"}}});
}

TEST_F(Resolve, TellsTomlTypesApart) {
  write(project_ / "awry.toml", "json = 'yes'");
  EXPECT_TRUE(complaint().ends_with("awry.toml:1: true or false is wanted, without quotes")) << complaint();
  write(project_ / "awry.toml", "model = true");
  EXPECT_TRUE(complaint().ends_with("a number or text is wanted, not true or false")) << complaint();
  write(project_ / "awry.toml", "seed = [1, 2]");
  EXPECT_TRUE(complaint().ends_with("one value is wanted, not a list")) << complaint();
  write(project_ / "awry.toml", "seed = 1979-05-27");
  EXPECT_TRUE(complaint().ends_with("text, a number, true, false or a list of these is wanted"))
      << complaint();
}

TEST_F(Resolve, ExplainsTextWithoutQuotes) {
  write(project_ / "awry.toml", "colour = never");
  EXPECT_TRUE(complaint().ends_with("text needs quotes. Write colour = \"never\".")) << complaint();
  write(project_ / "awry.toml", "seed = = 3");
  EXPECT_EQ(complaint().find("quotes"), std::string::npos) << complaint();
}

TEST_F(Resolve, NeverRepeatsASecret) {
  write(project_ / "awry.toml", "api-key = ['hunter2']");
  EXPECT_EQ(complaint().find("hunter2"), std::string::npos) << complaint();
}

TEST_F(Resolve, AsksForWhatIsRequired) {
  std::string protocol, data;
  set_.value(protocol, "protocol", {.help = "P.", .required = true});
  EXPECT_EQ(
      complaint(),
      "option --protocol is missing. Give it, or set AWRY_PROTOCOL or the key 'protocol' in awry.toml.");
  set_.positional(data, "data", {.help = "D.", .required = true});
  EXPECT_EQ(complaint({{"protocol", {"themis"}}}), "DATA is missing. See awry score themis --help.");
}

TEST(OptionSet, RefusesClashesOfTheCommandsAuthor) {
  bool a = false, b = false;
  std::vector<std::string> rest, more;
  OptionSet set;
  set.flag(a, "colours", {.letter = 'c', .also = "colors"});
  EXPECT_THROW(set.flag(b, "colours", {}), std::logic_error);
  EXPECT_THROW(set.flag(b, "colors", {}), std::logic_error);
  EXPECT_THROW(set.flag(b, "cold", {.letter = 'c'}), std::logic_error);
  EXPECT_THROW(set.flag(b, "cold", {.also = "colours"}), std::logic_error);
  set.positionals(rest, "rest", {});
  EXPECT_THROW(set.positionals(more, "more", {}), std::logic_error);
}

TEST(Dotenv, ReadsQuotesCommentsAndExports) {
  const TemporaryFolder folder;
  ASSERT_TRUE(
      write_file(folder.path() / ".env",
                 "\xEF\xBB\xBF# comment\r\nexport A=\"x\\ty\" # why\nB='$HOME # kept'\nC=bare # gone\n"
                 "D=\n1X=bad\nE=\"open\nno equals sign\nF=図\n"));
  Environment environment(std::map<std::string, std::string, std::less<>>{{"C", "real"}});
  environment.read_dotenv(folder.path());
  EXPECT_EQ(environment.value_or("A", "-"), "x\ty");
  EXPECT_EQ(environment.value_or("B", "-"), "$HOME # kept");
  EXPECT_EQ(environment.value_or("C", "-"), "real");
  EXPECT_EQ(environment.value_or("D", "-"), "-");
  EXPECT_EQ(environment.value_or("E", "-"), "-");
  EXPECT_EQ(environment.value_or("F", "-"), "図");
  EXPECT_EQ(environment.warnings().size(), 3u);
}

}  // namespace
}  // namespace awry::cli
