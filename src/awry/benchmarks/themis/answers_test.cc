// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/benchmarks/themis/themis.h"
#include "awry/imaging/mask.h"

namespace awry::benchmarks::themis {
namespace {

using inspectors::Inspection;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Sample panel(std::string_view grid) {
  Sample sample{.id = "s", .images = {{.path = "a.png", .width = 60, .height = 40}}};
  sample.attributes = {{kTaskAttribute, std::string(kForgery)}};
  if (!grid.empty()) sample.attributes[kGridAttribute] = grid;
  return sample;
}

Question question(std::string_view kind) {
  return {.id = "s/q", .sample_id = "s", .kind = std::string(kind)};
}

Answer read(std::string_view kind, std::string text, std::string_view grid = "2x3") {
  return parse(panel(grid), question(kind), {.text = std::move(text), .model = "m"});
}

std::vector<int> blocks(const Answer& answer) {
  return std::get<BlockSet>(answer.findings.at(0).where).blocks;
}

TEST(ThemisAnswers, ReadsTheFormThatWasAskedFor) {
  const Answer answer =
      read(kForgery, "<CHOICE>A</CHOICE>\n<MASK>2, 3,5</MASK>\n<EXPLANATION>a seam</EXPLANATION>");
  EXPECT_EQ(answer.outcome, Outcome::kAnswered);
  EXPECT_THAT(answer.choices, ElementsAre("A"));
  ASSERT_EQ(answer.findings.size(), 1u);
  EXPECT_EQ(answer.findings[0].type, "splicing");
  EXPECT_EQ(std::get<BlockSet>(answer.findings[0].where), (BlockSet{2, 3, {2, 3, 5}}));
  EXPECT_EQ(answer.text, "a seam");
  EXPECT_EQ(answer.complaint, "");
}

TEST(ThemisAnswers, LettersInsideWordsAreNotChoices) {
  // Every A to G of the upper-cased body would be A, C and G here.
  EXPECT_THAT(read(kForgery, "<CHOICE>A) splicing</CHOICE><MASK>1</MASK>").choices, ElementsAre("A"));
  EXPECT_THAT(read(kDuplication, "<CHOICES>B) Scaling, D) Flipped</CHOICES>").choices, ElementsAre("B", "D"));
  EXPECT_THAT(read(kConsistency, "<CHOICE>B) Trend Inconsistent</CHOICE>").choices, ElementsAre("B"));
}

TEST(ThemisAnswers, ReadsJsonInPlaceOfTags) {
  const Answer answer =
      read(kForgery, "```json\n{\"CHOICE\": \"B\", \"MASK\": [1, 4], \"EXPLANATION\": \"two alike\"}\n```");
  EXPECT_THAT(answer.choices, ElementsAre("B"));
  EXPECT_THAT(blocks(answer), ElementsAre(1, 4));
  EXPECT_EQ(answer.text, "two alike");
  EXPECT_THAT(answer.complaint, HasSubstr("JSON instead of tags"));
  EXPECT_THAT(blocks(read(kForgery, R"({"choice": "A", "mask_indices": "none"})")), IsEmpty());
  EXPECT_THAT(read(kDuplication, R"({"choices": ["A", "C"]})").choices, ElementsAre("A", "C"));
  EXPECT_THAT(read(kDuplication, R"(["D", "B"])").choices, ElementsAre("B", "D"));
  const Answer text = read(
      kConsistency, R"({"choice": "A", "parts": ["caption"], "sentences": ["It rose, by 3%.", "It fell."]})");
  ASSERT_EQ(text.findings.size(), 2u);
  EXPECT_EQ(std::get<TextSpan>(text.findings[0].where), (TextSpan{"caption", "It rose, by 3%."}));
}

TEST(ThemisAnswers, ALineThatIsAChoiceNeedsNoTag) {
  EXPECT_THAT(read(kForgery, "B").choices, ElementsAre("B"));
  EXPECT_THAT(read(kForgery, "Answer: (C)").choices, ElementsAre("C"));
  EXPECT_THAT(read(kDuplication, "A, C").choices, ElementsAre("A", "C"));
  EXPECT_THAT(read(kForgery, "B").complaint, HasSubstr("a choice without its tag"));
}

TEST(ThemisAnswers, WithoutTagsNothingIsGuessed) {
  for (const char* reply :
       {"A panel that looks authentic to me.", "I see a splice.", "A or B", "{\"mask\": [1]}",
        "{\"choice\": \"A\", \"answer\": \"B\"}", "The panel shows cells.\nB", "[]", "{}"}) {
    EXPECT_EQ(read(kForgery, reply).outcome, Outcome::kUnparsable) << reply;
  }
}

TEST(ThemisAnswers, TheLastTagWinsAndMayStayOpen) {
  const Answer answer = read(kForgery, "<CHOICE>D</CHOICE> no, rather <CHOICE>B</CHOICE><MASK>1,4");
  EXPECT_THAT(answer.choices, ElementsAre("B"));
  EXPECT_THAT(blocks(answer), ElementsAre(1, 4));
  EXPECT_NE(answer.complaint, "");
}

TEST(ThemisAnswers, ThinkingIsNotTheAnswer) {
  EXPECT_THAT(read(kForgery, "<think><CHOICE>A</CHOICE></think><CHOICE>D</CHOICE><MASK></MASK>").choices,
              ElementsAre("D"));
}

TEST(ThemisAnswers, AllWaysOfSayingNoBlock) {
  for (const char* body : {"", "none", "null", "0", "[]", "EMPTY"}) {
    EXPECT_THAT(blocks(read(kForgery, std::string("<CHOICE>C</CHOICE><MASK>") + body + "</MASK>")), IsEmpty())
        << body;
  }
}

TEST(ThemisAnswers, BlocksOutsideTheGridAreKeptSoThatTheyCountAsWrong) {
  const Answer answer = read(kForgery, "<CHOICE>A</CHOICE><MASK>1,7</MASK>");
  EXPECT_THAT(blocks(answer), ElementsAre(1, 7));
  EXPECT_THAT(answer.complaint, HasSubstr("outside the grid of 6"));
}

// Id and Loc are scored apart: a place is right or wrong whatever the type is called.
TEST(ThemisAnswers, APlaceBesideADenialIsKeptAndClaimsNothing) {
  const Answer answer = read(kForgery, "<CHOICE>D</CHOICE><MASK>1,2</MASK>");
  EXPECT_THAT(blocks(answer), ElementsAre(1, 2));
  EXPECT_EQ(answer.findings[0].type, "");
  EXPECT_THAT(answer.complaint, HasSubstr("although no forgery was chosen"));
  EXPECT_THAT(read(kForgery, "<CHOICE>D</CHOICE><MASK>none</MASK>").findings, IsEmpty());
  EXPECT_THAT(read(kForgery, "<CHOICE>D</CHOICE><MASK>1</MASK>", "").findings, IsEmpty())
      << "no grid, no place";

  const Answer text = read(kConsistency, "<CHOICE>C</CHOICE><SENTENCES>- it gave 48 mg</SENTENCES>");
  ASSERT_EQ(text.findings.size(), 1u);
  EXPECT_EQ(text.findings[0].type, "");
  EXPECT_THAT(text.complaint, HasSubstr("although nothing was found wrong"));
}

TEST(ThemisAnswers, NotSureIsSaidOnTheAnswer) {
  EXPECT_TRUE(read(kForgery, "<CHOICE>E</CHOICE>").unsure);
  EXPECT_TRUE(read(kDuplication, "<CHOICES>G</CHOICES>").unsure);
  EXPECT_TRUE(read(kConsistency, "<CHOICE>D</CHOICE>").unsure);
  EXPECT_FALSE(read(kForgery, "<CHOICE>D</CHOICE>").unsure);
}

TEST(ThemisAnswers, OperationsComeAsOnePair) {
  const Answer answer = read(kDuplication, "<CHOICES>E, C</CHOICES>");
  ASSERT_EQ(answer.findings.size(), 1u);
  EXPECT_THAT(std::get<Pair>(answer.findings[0].where).operations,
              ElementsAre("rotated", "parameter-modified"));
  EXPECT_THAT(read(kDuplication, "<CHOICES>F</CHOICES>").findings, IsEmpty());
}

TEST(ThemisAnswers, SentencesBecomeTextSpans) {
  const Answer answer =
      read(kConsistency,
           "<CHOICE>A</CHOICE><PARTS>related</PARTS><SENTENCES>- it gave 48 mg,\n- in 12 mice\n"
           "</SENTENCES><EXPLANATION>x</EXPLANATION>");
  ASSERT_EQ(answer.findings.size(), 2u);
  EXPECT_EQ(std::get<TextSpan>(answer.findings[0].where), (TextSpan{"related_sentences", "it gave 48 mg"}));
  EXPECT_EQ(answer.findings[1].type, "numerical_inconsistency");
}

TEST(ThemisAnswers, WhatCannotBeReadIsUnparsableWithTheReason) {
  for (const char* text : {"", "I think it is fine.", "<CHOICE></CHOICE>", "<CHOICE>X</CHOICE>",
                           "<CHOICE>A or B</CHOICE>", "<CHOICE>A, B</CHOICE>"}) {
    const Answer answer = read(kForgery, text);
    EXPECT_EQ(answer.outcome, Outcome::kUnparsable) << text;
    EXPECT_NE(answer.complaint, "") << text;
    EXPECT_THAT(answer.choices, IsEmpty()) << text;
  }
}

TEST(ThemisAnswers, AFailedReplyStaysAFailure) {
  const Reply reply{.outcome = Outcome::kTransport, .text = "<CHOICE>A</CHOICE>", .error = "HTTP 500"};
  const Answer answer = parse(panel("2x3"), question(kForgery), reply);
  EXPECT_EQ(answer.outcome, Outcome::kTransport);
  EXPECT_EQ(answer.complaint, "HTTP 500");
  EXPECT_THAT(answer.findings, IsEmpty());
}

// phrase, then parse.
Answer round_trip(const Sample& sample, std::string_view kind, const Inspection& inspection) {
  const std::string text = phrase(sample, question(kind), inspection).value();
  Answer answer = parse(sample, question(kind), {.text = text});
  EXPECT_EQ(answer.outcome, Outcome::kAnswered) << text;
  EXPECT_EQ(answer.complaint, "") << text;
  return answer;
}

Mask marked(int x, int y, int width, int height) {
  imaging::Bitmap bitmap(60, 40);
  for (int row = y; row < y + height; ++row) {
    for (int column = x; column < x + width; ++column) bitmap.at(column, row) = 1;
  }
  return imaging::mask_from_bitmap(bitmap);
}

TEST(ThemisPhrase, MasksBecomeBlocksOfTheSamplesGrid) {
  // 60x40 in two rows of three: blocks of 20x20.
  const Inspection inspection{.findings = {{.where = marked(22, 2, 10, 10), .type = "splicing"},
                                           {.where = marked(45, 25, 10, 10), .type = "splicing"},
                                           {.where = marked(0, 0, 10, 10), .type = "copy_move"}}};
  const Answer answer = round_trip(panel("2x3"), kForgery, inspection);
  EXPECT_THAT(answer.choices, ElementsAre("A"));
  EXPECT_THAT(blocks(answer), ElementsAre(2, 6));
}

TEST(ThemisPhrase, CopyMoveMarksSourceAndTarget) {
  const Inspection inspection{.findings = {{.where = Pair{.second_image = 0,
                                                          .in_first = marked(0, 0, 10, 10),
                                                          .in_second = marked(40, 0, 10, 10)},
                                            .type = "copy_move"}}};
  EXPECT_THAT(blocks(round_trip(panel("2x3"), kForgery, inspection)), ElementsAre(1, 3));
}

TEST(ThemisPhrase, EveryKindOfPlaceIsUnderstood) {
  const auto where = [](Where place) {
    return Inspection{.findings = {{.where = std::move(place), .type = "splicing"}}};
  };
  EXPECT_THAT(blocks(round_trip(panel("2x3"), kForgery, where(Box{25, 5, 10, 10}))), ElementsAre(2));
  EXPECT_THAT(blocks(round_trip(panel("2x2"), kForgery, where(WholeImage{}))), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(blocks(round_trip(panel("2x3"), kForgery, where(BlockSet{2, 3, {4, 6}}))), ElementsAre(4, 6));
  EXPECT_THAT(blocks(round_trip(panel("2x2"), kForgery, where(BlockSet{1, 2, {2}}))), ElementsAre(2, 4));
  Sample unsized = panel("2x3");
  unsized.images[0].width = 0;
  EXPECT_FALSE(phrase(unsized, question(kForgery), where(Box{0, 0, 5, 5})).has_value());
}

TEST(ThemisPhrase, WithoutAGridNoBlockIsNamed) {
  const Inspection inspection{.findings = {{.where = marked(0, 0, 10, 10), .type = "ai_generated"}}};
  const Answer answer = round_trip(panel(""), kForgery, inspection);
  EXPECT_THAT(answer.choices, ElementsAre("C"));
  EXPECT_TRUE(std::holds_alternative<WholeImage>(answer.findings[0].where));
}

TEST(ThemisPhrase, FindingsThatAreNotAskedAboutAreIgnored) {
  const Inspection inspection{.findings = {{.where = Pair{}, .type = "duplication"}},
                              .undecided = {"duplication"}};
  EXPECT_THAT(round_trip(panel("2x3"), kForgery, inspection).choices, ElementsAre("D"));
}

TEST(ThemisPhrase, NotSureCanStillSayWhere) {
  const Inspection inspection{.undecided = {"splicing"},
                              .leads = {{.where = marked(0, 0, 10, 10), .type = "smoothing"},
                                        {.where = marked(0, 0, 10, 10), .type = "splicing"}}};
  const Answer answer = round_trip(panel("2x3"), kForgery, inspection);
  EXPECT_TRUE(answer.unsure);
  EXPECT_THAT(blocks(answer), ElementsAre(1));
}

TEST(ThemisPhrase, NotSureOnlyWhenNothingWasFound) {
  EXPECT_TRUE(round_trip(panel("2x3"), kForgery, {.undecided = {"splicing"}}).unsure);
  EXPECT_TRUE(round_trip(panel(""), kDuplication, {.undecided = {"duplication"}}).unsure);
  EXPECT_TRUE(round_trip(panel(""), kConsistency, {.undecided = {"trend_inconsistency"}}).unsure);
  const Inspection found{.findings = {{.where = marked(0, 0, 9, 9), .type = "copy_move"}},
                         .undecided = {"splicing"}};
  EXPECT_THAT(round_trip(panel("2x3"), kForgery, found).choices, ElementsAre("B"));
}

TEST(ThemisPhrase, OperationsOfDetectorsBecomeLetters) {
  const auto letters = [](std::vector<std::string> operations) {
    const Inspection inspection{
        .findings = {{.where = Pair{.operations = std::move(operations)}, .type = "duplication"}}};
    return round_trip(panel(""), kDuplication, inspection).choices;
  };
  EXPECT_THAT(letters({}), ElementsAre("A"));
  EXPECT_THAT(letters({"direct"}), ElementsAre("A"));
  EXPECT_THAT(letters({"rotation", "brightness", "contrast"}), ElementsAre("C", "E"));
  EXPECT_THAT(letters({"horizontal_flip", "scaling", "translation"}), ElementsAre("B", "D"));
  EXPECT_THAT(letters({"scaling", "rotated", "flipped", "parameter-modified"}),
              ElementsAre("B", "C", "D", "E"));
}

TEST(ThemisPhrase, SentencesSurviveTheRoundTrip) {
  const Inspection inspection{
      .findings = {{.where = TextSpan{"caption", "it fell,\nthen rose"}, .type = "trend_inconsistency"},
                   {.where = TextSpan{"caption", "p < 0.05"}, .type = "trend_inconsistency"}}};
  const Answer answer = round_trip(panel(""), kConsistency, inspection);
  ASSERT_EQ(answer.findings.size(), 2u);
  EXPECT_EQ(std::get<TextSpan>(answer.findings[0].where), (TextSpan{"caption", "it fell, then rose"}));
}

}  // namespace
}  // namespace awry::benchmarks::themis
