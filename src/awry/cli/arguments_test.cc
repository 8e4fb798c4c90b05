// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/arguments.h"

#include <gtest/gtest.h>

#include "awry/cli/common_options.h"

namespace awry::cli {
namespace {

struct Fields {
  bool json = false;
  Limit limit;
  std::vector<std::string> models;
  std::filesystem::path output, file;
  std::vector<std::string> more;
  TalkOptions talk;
};

class Arguments : public testing::Test {
 protected:
  Arguments() {
    set_.positional(fields_.file, "file", {.help = "A file."});
    set_.positionals(fields_.more, "more", {.help = "More files."});
    set_.list(fields_.models, "model", {.help = "A model."});
    declare_json(set_, fields_.json);
    declare_limit(set_, fields_.limit);
    declare_output(set_, fields_.output);
    declare_talk(set_, fields_.talk);
  }
  ParsedArguments parse(std::vector<std::string> words) {
    auto parsed = parse_arguments(words, set_);
    if (!parsed) ADD_FAILURE() << parsed.error().message();
    return parsed.value_or(ParsedArguments{});
  }
  std::string complaint(std::vector<std::string> words) {
    auto parsed = parse_arguments(words, set_);
    if (parsed) return "";
    EXPECT_EQ(parsed.error().kind, ErrorKind::kUsage);
    return parsed.error().message();
  }

  Fields fields_;
  OptionSet set_;
};

using Texts = std::vector<std::string>;

TEST_F(Arguments, TakesEverySpellingOfAValue) {
  for (const Texts& words : {Texts{"-n", "5"}, {"-n5"}, {"--limit", "5"}, {"--limit=5"}}) {
    EXPECT_EQ(parse(words), (ParsedArguments{{"limit", {"5"}}})) << words.front();
  }
}

TEST_F(Arguments, BundlesLetters) {
  EXPECT_EQ(parse({"-qvn3"}),
            (ParsedArguments{{"quiet", {"true"}}, {"verbose", {"true"}}, {"limit", {"3"}}}));
}

TEST_F(Arguments, TakesAFlagBack) {
  EXPECT_EQ(parse({"--json", "--no-json"})["json"].back(), "false");
  bool no_cache = false;
  set_.flag(no_cache, "no-cache", {.help = "No cache."});
  EXPECT_EQ(parse({"--no-cache"}), (ParsedArguments{{"no-cache", {"true"}}}));
  EXPECT_EQ(parse({"--cache"}), (ParsedArguments{{"no-cache", {"false"}}}));
}

TEST_F(Arguments, UnderstandsBothSpellingsOfColour) {
  EXPECT_EQ(parse({"--color", "never"}), parse({"--colour=never"}));
}

TEST_F(Arguments, CollectsARepeatedOption) {
  EXPECT_EQ(parse({"--model", "a", "x.png", "--model=b"}),
            (ParsedArguments{{"model", {"a", "b"}}, {"file", {"x.png"}}}));
}

TEST_F(Arguments, FillsPositionalsInOrder) {
  EXPECT_EQ(parse({"one", "--json", "two", "three"}),
            (ParsedArguments{{"file", {"one"}}, {"json", {"true"}}, {"more", {"two", "three"}}}));
}

TEST_F(Arguments, TakesEverythingPlainlyAfterTwoDashes) {
  EXPECT_EQ(parse({"--", "--json", "-q"}), (ParsedArguments{{"file", {"--json"}}, {"more", {"-q"}}}));
}

TEST_F(Arguments, TakesASingleDashForStdin) {
  EXPECT_EQ(parse({"-", "-o", "-"}), (ParsedArguments{{"file", {"-"}}, {"output", {"-"}}}));
}

TEST_F(Arguments, TakesANegativeNumberAsAValue) {
  EXPECT_EQ(parse({"--limit", "-5"}), (ParsedArguments{{"limit", {"-5"}}}));
}

TEST_F(Arguments, KeepsUnicodeAndEmptyWords) {
  EXPECT_EQ(parse({"Bilder/Ä 図.png", ""}), (ParsedArguments{{"file", {"Bilder/Ä 図.png"}}, {"more", {""}}}));
}

TEST_F(Arguments, RefusesAnOptionWhereAValueIsWanted) {
  EXPECT_EQ(complaint({"-o", "--json"}),
            "option '--output' needs a value: '--json' follows. Write --output FILE.");
  EXPECT_EQ(complaint({"--output"}), "option '--output' needs a value. Write --output FILE.");
  EXPECT_EQ(complaint({"--output="}),
            "option '--output' needs a value: nothing follows the '='. Write --output FILE.");
}

TEST_F(Arguments, NamesTheUnknownOptionAndItsNeighbour) {
  EXPECT_EQ(complaint({"--jsno"}), "unknown option '--jsno'. Did you mean '--json'?");
  EXPECT_EQ(complaint({"--zebra=1"}), "unknown option '--zebra'");
  EXPECT_EQ(complaint({"-x"}), "unknown option '-x'");
  EXPECT_EQ(complaint({"--no-limit"}), "unknown option '--no-limit'. Did you mean '--limit'?");
}

TEST(ArgumentsOfACommandWithoutAny, AreUnexpected) {
  const OptionSet none;
  const std::vector<std::string> plain = {"図.png"}, long_dash = {"—json"};
  EXPECT_EQ(parse_arguments(plain, none).error().message(), "unexpected argument '図.png'");
  EXPECT_EQ(parse_arguments(long_dash, none).error().message(),
            "unexpected argument '—json': it begins with a long dash. Did you mean '--json'?");
}

// Limit is what -n takes everywhere.
TEST(Limit, ReadsCountsSharesAndRanges) {
  const auto range = [](std::string_view text, std::size_t total) {
    Limit limit;
    EXPECT_TRUE(parse_value(text, limit)) << text;
    return limit.range_of(total);
  };
  using Range = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(range("all", 40), Range(0, 40));
  EXPECT_EQ(range("5", 40), Range(0, 5));
  EXPECT_EQ(range("50", 40), Range(0, 40));
  EXPECT_EQ(range("10%", 40), Range(0, 4));
  EXPECT_EQ(range("0.1", 41), Range(0, 5));  // part of a sample is a sample
  EXPECT_EQ(range("1%", 3), Range(0, 1));
  EXPECT_EQ(range("1.0", 40), Range(0, 40));
  EXPECT_EQ(range("20-40", 30), Range(19, 30));
  EXPECT_EQ(range("50-60", 30), Range(30, 30));
  EXPECT_EQ(range("10%", 0), Range(0, 0));
}

TEST(Limit, RefusesWhatMeansNothing) {
  for (const std::string_view text : {"0", "-5", "1.5", "5-3", "0-3", "120%", "", "many", "1-2-3", "nan"}) {
    Limit limit;
    EXPECT_FALSE(parse_value(text, limit)) << text;
  }
}

TEST(Limit, IsWrittenAsItIsRead) {
  for (const std::string text : {"all", "7", "10%", "3-9"}) {
    Limit limit;
    ASSERT_TRUE(parse_value(text, limit));
    EXPECT_EQ(format_value(limit), text);
  }
}

}  // namespace
}  // namespace awry::cli
