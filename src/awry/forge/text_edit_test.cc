// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/text_edit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "awry/base/text.h"
#include "awry/forge/paint.h"

namespace awry::forge {
namespace {

std::string undone(const EditedText& edited) {
  std::string text;
  std::size_t read = 0, original_at = 0;
  for (const TextEdit& edit : edited.edits) {
    const std::size_t unchanged = edit.offset - original_at;
    text += edited.text.substr(read, unchanged) + edit.original;
    read += unchanged + edit.replacement.size();
    original_at = edit.offset + edit.original.size();
  }
  return text + edited.text.substr(read);
}

// Painted panels give the texts, so that what is tested is what is forged.
TEST(EditText, ChangesExactlyTheRecordedTokensEachInItsOwnClause) {
  int edits_seen = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto panel =
        paint_panel(seed % 2 == 0 ? PanelKind::kChart : PanelKind::kTable, 96, 96, RandomStream(seed));
    ASSERT_TRUE(panel);
    std::string text = panel->caption;
    for (const std::string& sentence : panel->sentences) text += " " + sentence;
    for (const TextEditKind kind : {TextEditKind::kNumerical, TextEditKind::kTrend}) {
      const auto edited = edit_text(text, {.kind = kind, .edits = 3, .words_in_picture = panel->lettering},
                                    RandomStream(seed));
      if (!edited) continue;
      edits_seen += static_cast<int>(edited->edits.size());
      EXPECT_EQ(undone(*edited), text);
      std::set<std::string> clauses;
      for (const TextEdit& edit : edited->edits) {
        EXPECT_EQ(text.substr(edit.offset, edit.original.size()), edit.original);
        EXPECT_NE(edit.original, edit.replacement);
        EXPECT_NE(text.find(edit.clause_before), std::string::npos);
        EXPECT_NE(edited->text.find(edit.clause_after), std::string::npos);
        EXPECT_EQ(std::ranges::count(panel->lettering, edit.original), 0) << edit.original;
        clauses.insert(std::to_string(text.find(edit.clause_before)));
      }
      EXPECT_EQ(clauses.size(), edited->edits.size()) << text;
    }
  }
  EXPECT_GT(edits_seen, 200);
}

TEST(EditText, KeepsDecimalsAndUnitsAndChangesNumbersNoticeably) {
  const std::string text = "Viability fell from 88.0 % to 45.2 %; volume was 410 mm3, and time 0.5 h.";
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto edited = edit_text(text, {.edits = 3}, RandomStream(seed));
    ASSERT_TRUE(edited);
    EXPECT_EQ(edited->edits.size(), 3);
    for (const TextEdit& edit : edited->edits) {
      const double before = *parse_double(edit.original), after = *parse_double(edit.replacement);
      EXPECT_GE(std::abs(after - before), 0.25 * before - 1e-9);
      const auto decimals = [](const std::string& t) {
        return t.find('.') == std::string::npos ? 0 : t.size() - t.find('.') - 1;
      };
      EXPECT_EQ(decimals(edit.original), decimals(edit.replacement));
      EXPECT_GT(after, 0);
      if (edit.original == "88.0" || edit.original == "45.2") {
        EXPECT_LE(after, 100);
      }
    }
    EXPECT_NE(edited->text.find(" mm3, and"), std::string::npos);
  }
}

TEST(EditText, LeavesNumbersOfNamesAlone) {
  for (const char* text :
       {"IL-6 and p53 in 3D.", "Version 1.2.3 of 10-fold dilution.", "In 1,024 cells", "no numbers"})
    EXPECT_FALSE(edit_text(text, {}, RandomStream(1))) << text;
}

TEST(EditText, LeavesReferencesAlone) {
  for (const char* text : {"As Fig. 2 shows.", "See Figures 3 and 4.", "In Table 1 [12, 14].",
                           "Smith (2019).", "By Smith et al. (Lee, 2014).", "In section 4; panel 2."})
    EXPECT_FALSE(edit_text(text, {}, RandomStream(1))) << text;
  const auto edited = edit_text("Fig. 2: after 14 days [3].", {.edits = 3}, RandomStream(1));
  ASSERT_TRUE(edited);
  ASSERT_EQ(edited->edits.size(), 1);
  EXPECT_EQ(edited->edits[0].original, "14");
}

TEST(EditText, LeavesWhatCanBeReadInThePicture) {
  const std::vector<std::string> words = {"Day 7", "Dose (20 mg)"};
  const auto edited = edit_text("It was 3.1 on day 7, after 20 mg.", {.edits = 3, .words_in_picture = words},
                                RandomStream(4));
  ASSERT_TRUE(edited);
  ASSERT_EQ(edited->edits.size(), 1);
  EXPECT_EQ(edited->edits[0].original, "3.1");
}

TEST(EditText, TurnsTrendsRoundWithTheirArticles) {
  const auto one = [](std::string_view text) {
    const auto edited = edit_text(text, {.kind = TextEditKind::kTrend}, RandomStream(1));
    return edited ? edited->text : edited.error().message();
  };
  EXPECT_EQ(one("There was an increase in weight."), "There was a decrease in weight.");
  EXPECT_EQ(one("A decrease was seen."), "An increase was seen.");
  EXPECT_EQ(one("Levels rose slowly."), "Levels fell slowly.");
  EXPECT_EQ(one("Higher doses helped."), "Lower doses helped.");
  EXPECT_EQ(one("The increased-risk group stayed."),
            "cannot tamper with the text: it holds no word that tells a trend");
}

TEST(OppositeTrend, IsItsOwnInverseForPairs) {
  for (const char* word : {"increased", "rise", "higher", "upregulated", "Shorter", "weaker"})
    EXPECT_EQ(opposite_trend(opposite_trend(word)), word);
  EXPECT_EQ(opposite_trend("greater"), "smaller");
  EXPECT_EQ(opposite_trend("cell"), "");
  EXPECT_EQ(opposite_trend(""), "");
}

TEST(ClausesOf, DoNotCutNumbersAndSurviveOddText) {
  const std::string text = "At 3.5 h, it was 2,000; then. ";
  std::vector<std::string> found;
  for (const Clause& clause : clauses_of(text))
    found.push_back(text.substr(clause.begin, clause.end - clause.begin));
  EXPECT_EQ(found, (std::vector<std::string>{"At 3.5 h,", "it was 2,000;", "then."}));
  EXPECT_TRUE(clauses_of("").empty());
  EXPECT_TRUE(clauses_of("  \n ").empty());
  EXPECT_EQ(clauses_of(".,;").size(), 1);
}

}  // namespace
}  // namespace awry::forge
