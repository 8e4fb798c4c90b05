// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/choices.h"

#include "awry/parse/support_test.h"

namespace awry::parse {
namespace {

const ChoiceRules kForgery = {.options = {{'A', {"splicing"}},
                                          {'B', {"copy-move", "copy move forgery"}},
                                          {'C', {"AI-generated", "AI"}},
                                          {'D', {"no forgery", "none", "authentic"}},
                                          {'E', {"not sure", "uncertain"}}},
                              .single = true};

const ChoiceRules kDuplication = {.options = {{'A', {"direct", "direct reuse"}},
                                              {'B', {"scaling"}},
                                              {'C', {"rotated", "rotation"}},
                                              {'D', {"flipped"}},
                                              {'E', {"parameter-modified"}},
                                              {'F', {"no duplication"}},
                                              {'G', {"not sure"}}},
                                  .exclusive = "FG"};

struct Case {
  std::string_view body, letters;
};

TEST(ReadChoices, ReadsOneLetterHoweverItIsDressed) {
  const Case cases[] = {
      {"A", "A"},
      {" b ", "B"},
      {"(b)", "B"},
      {"**A**", "A"},
      {"`C`", "C"},
      {"\"D\"", "D"},
      {"[E]", "E"},
      {"A.", "A"},
      {"A) splicing", "A"},
      {"A) Splicing \u2014 pasted cells with a seam", "A"},
      {"A splicing", "A"},
      {"B - Copy-Move", "B"},
      {"B: Copy-Move (a region of panel C appears twice)", "B"},
      {"C (AI-Generated)", "C"},
      {"C-AI generated", "C"},
      {"Option B", "B"},
      {"The answer is C.", "C"},
      {"Answer: D", "D"},
      {"Splicing (A)", "A"},
      {"splicing", "A"},
      {"Copy Move", "B"},
      {"copy\u2011move", "B"},
      {"No Forgery", "D"},
      {"none", "D"},
      {"A) splicing, not B", "A"},
      {"E) Not Sure", "E"},
      {"A\n", "A"},
      {"B) copy-move: panels A and C match", "B"},
      {"{\"A\": false, \"B\": true}", "B"},
      {"$\\boxed{A}$", "A"},
  };
  for (const Case& c : cases) {
    const auto read = read_choices(c.body, kForgery);
    ASSERT_TRUE(read) << c.body << ": " << read.error().message();
    EXPECT_EQ(read->value.letters, c.letters) << c.body;
  }
}

TEST(ReadChoices, ReadsSetsOfLetters) {
  const Case cases[] = {
      {"A", "A"},
      {"A,C", "AC"},
      {"C, A, C", "AC"},
      {"A, C", "AC"},
      {"a, c", "AC"},
      {"[\"A\",\"C\"]", "AC"},
      {"['A', 'C']", "AC"},
      {"{A, C}", "AC"},
      {"A and C", "AC"},
      {"A & C", "AC"},
      {"A + C", "AC"},
      {"A/C", "AC"},
      {"A; C; E", "ACE"},
      {"A, B, and D", "ABD"},
      {"AC", "AC"},
      {"A: Direct reuse; C - Rotated", "AC"},
      {"A) Direct, C) Rotated", "AC"},
      {"A (Direct) and C (Rotated by 90)", "AC"},
      {"- A: direct\n- E: parameter-modified", "AE"},
      {"1. A\n2. C", "AC"},
      {"Options A and C", "AC"},
      {"direct reuse, rotation", "AC"},
      {"Rotated and flipped", "CD"},
      {"F) No Duplication", "F"},
      {"A: yes, B: no, C: yes, D: no, E: no", "AC"},
      {"C) rotated; panels A, B overlap", "C"},
      {"C) one panel is a rotated copy of panel D", "C"},
  };
  for (const Case& c : cases) {
    const auto read = read_choices(c.body, kDuplication);
    ASSERT_TRUE(read) << c.body << ": " << read.error().message();
    EXPECT_EQ(read->value.letters, c.letters) << c.body;
    EXPECT_FALSE(read->value.mixes_exclusive) << c.body;
  }
}

TEST(ReadChoices, ReportsExclusiveLettersBesideOthers) {
  const auto read = read_choices("A, F", kDuplication);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->value.letters, "AF");
  EXPECT_TRUE(read->value.mixes_exclusive);
  EXPECT_TRUE(mentions(read->tolerated, "exclude each other"));
  EXPECT_TRUE(read_choices("F,G", kDuplication)->value.mixes_exclusive);
}

TEST(ReadChoices, RefusesToGuess) {
  struct {
    std::string_view body, why;
  } const cases[] = {
      {"", "it is empty"},
      {" ** ", "it is empty"},
      {"H", "'H' is not among the options"},
      {"A or B", "it offers alternatives with 'or'"},
      {"A (or B)", "it offers alternatives with 'or'"},
      {"A-C", "it gives a range of letters"},
      {"A, B", "it chooses AB where one is asked for"},
      {"A/B/C/D/E", "it chooses ABCDE where one is asked for"},
      {"A) copy-move", "it says A but names option B"},
      {"the image is fine", "it holds neither an option's letter nor its name"},
      {"A region was pasted here", "its letters stand inside sentences"},
      {"not A but B, I guess", "its letters stand inside sentences"},
      {"no splicing here", "it holds neither an option's letter nor its name"},
      {"{\"A\": false, \"B\": false}", "every option is denied"},
  };
  for (const auto& c : cases) EXPECT_EQ(why(read_choices(c.body, kForgery)), c.why) << c.body;
}

TEST(ReadChoices, NeverTakesLettersOutOfWords) {
  for (std::string_view body :
       {"splicing cabbage", "BADGE face", "a deed", "Figure ABCDEFG shows", "it's e-mail"}) {
    EXPECT_FALSE(read_choices(body, kDuplication)) << body;
  }
}

TEST(ReadChoices, ReadsBackWhatItPrints) {
  for (int set = 1; set < 128; ++set) {
    std::string letters, printed;
    for (int i = 0; i < 7; ++i) {
      if (!(set >> i & 1)) continue;
      letters += static_cast<char>('A' + i);
      printed += (printed.empty() ? "" : ", ") + std::string(1, static_cast<char>('A' + i));
    }
    EXPECT_EQ(read_choices(printed, kDuplication)->value.letters, letters);
    EXPECT_EQ(read_choices(letters, kDuplication)->value.letters, letters);
  }
}

TEST(ReadChoices, SurvivesHostileBodies) {
  for (std::string_view piece :
       {"A", "A,", "(", "(A", "A and ", "\xff", "A\xe2\x80", "-", "\n", "panel A, "}) {
    const std::string flood = repeated(piece, 20'000);
    EXPECT_LT(seconds([&] { (void)read_choices(flood, kDuplication); }), 1.0) << piece;
  }
  EXPECT_EQ(why(read_choices(repeated("A ", 1 << 20), kDuplication)), "it is far too long");
}

}  // namespace
}  // namespace awry::parse
