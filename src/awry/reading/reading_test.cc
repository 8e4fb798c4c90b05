// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "awry/base/files.h"
#include "awry/reading/figure_mentions.h"
#include "awry/reading/lettering.h"
#include "awry/reading/limited_process.h"

namespace awry::reading {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> told(std::string_view text) {
  std::vector<std::string> result;
  for (const FigureMention& mention : figure_mentions(text))
    result.push_back(mention.number + mention.letters);
  return result;
}

TEST(FigureMentions, AreFoundInEveryWayPapersWriteThem) {
  EXPECT_THAT(told("as seen in Figure 2."), ElementsAre("2"));
  EXPECT_THAT(told("(Fig. 2A and B)"), ElementsAre("2ab"));
  EXPECT_THAT(told("(Figs. 1a\xE2\x80\x93"
                   "c, 3)"),
              ElementsAre("1abc", "3"));
  EXPECT_THAT(told("Figures 1-3 show"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(told("Supplementary Figure 4c"), ElementsAre("S4c"));
  EXPECT_THAT(told("Figure S2 and Fig 5(b)"), ElementsAre("S2", "5b"));
  EXPECT_THAT(told("Figure 4 (A, C)"), ElementsAre("4"));  // a bracket of its own may say anything
}

TEST(FigureMentions, ArticlesAndOtherWordsAreNoPanels) {
  EXPECT_THAT(told("Figure 2b and a second sample"), ElementsAre("2b"));
  EXPECT_THAT(told("Figure 4 and a strong effect"), ElementsAre("4"));
  EXPECT_THAT(told("we configured 3 figures"), ElementsAre());
  EXPECT_THAT(told("In Figure 3 mm are shown"), ElementsAre("3"));
}

TEST(CaptionStart, TellsCaptionsFromSentences) {
  const auto caption = caption_start("Fig. 3. Cells after 24 h.");
  ASSERT_TRUE(caption);
  EXPECT_EQ(caption->number, "3");
  EXPECT_TRUE(caption->punctuated);
  EXPECT_EQ(std::string("Fig. 3. Cells after 24 h.").substr(caption->end), "Cells after 24 h.");
  ASSERT_TRUE(caption_start("Figure 3 shows cells"));
  EXPECT_FALSE(caption_start("Figure 3 shows cells")->punctuated);
  EXPECT_FALSE(caption_start("Figures of merit"));
  EXPECT_FALSE(caption_start("Figs. 1 and 2 show cells"));
}

TEST(CaptionLetters, CountOnlyEnumerationsWithoutGaps) {
  EXPECT_EQ(caption_letters("(A) One. (B, C) Two and three. (D-F) Rest."), "abcdef");
  EXPECT_EQ(caption_letters("Cells (a) before and (b) after (c = 3)."), "ab");
  EXPECT_EQ(caption_letters("Mice (n = 3) and controls (C)."), "");
}

TEST(SentencesOf, SurvivesAbbreviationsInitialsAndDecimals) {
  EXPECT_THAT(sentences_of("It rose to 2.5 (Fig. 2). J. Smith et al. saw this. Really?  Yes"),
              ElementsAre("It rose to 2.5 (Fig. 2).", "J. Smith et al. saw this.", "Really?", "Yes"));
  EXPECT_THAT(sentences_of(""), ElementsAre());
}

TEST(RunLimited, GivesOutputAndExitCodeWithoutAShell) {
  const TemporaryFolder folder;
  const auto said = run_limited({.program = "echo", .arguments = {"$HOME; ls"}, .folder = folder.path()});
  ASSERT_TRUE(said);
  EXPECT_EQ(said->out, "$HOME; ls\n");
  const auto failed = run_limited({.program = "false", .folder = folder.path()});
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->exit_code, 1);
}

TEST(RunLimited, StopsWhatLoopsSwellsOrFloods) {
  const TemporaryFolder folder;
  const auto sleeper = run_limited({.program = "sleep",
                                    .arguments = {"60"},
                                    .folder = folder.path(),
                                    .limits = {.time = std::chrono::milliseconds(200)}});
  ASSERT_FALSE(sleeper);
  EXPECT_EQ(sleeper.error().kind, ErrorKind::kLimit);
  const auto flood =
      run_limited({.program = "yes", .folder = folder.path(), .limits = {.output_bytes = 1000}});
  ASSERT_FALSE(flood);
  EXPECT_THAT(flood.error().message(), HasSubstr("printed more than"));
  const auto file = run_limited({.program = "dd",
                                 .arguments = {"if=/dev/zero", "of=big", "bs=1M", "count=9"},
                                 .folder = folder.path(),
                                 .limits = {.file_bytes = 1 << 20}});
  EXPECT_FALSE(file);
}

TEST(RunLimited, NamesThePackageOfAMissingProgram) {
  const auto missing = run_limited({.program = "no-such-program", .folder = "/", .package = "some-package"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(missing.error().message(), HasSubstr("apt-get install some-package"));
}

}  // namespace
}  // namespace awry::reading
