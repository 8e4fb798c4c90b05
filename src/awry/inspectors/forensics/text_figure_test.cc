// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/text_figure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "awry/inspectors/forensics/text_figure_chart.h"
#include "awry/inspectors/forensics/text_figure_claims.h"

namespace awry::inspectors::forensics {
namespace {

const imaging::Image kBlank(200, 200, 3, 255);

std::vector<std::string> types(const std::string& caption, const std::string& related) {
  const std::vector<Passage> passages = {{"caption", caption}, {"related_sentences", related}};
  std::vector<std::string> found;
  for (const Finding& finding : check_words(kBlank, {}, passages).findings) found.push_back(finding.type);
  return found;
}

using Types = std::vector<std::string>;

TEST(QuantitiesOf, LeavesNamesDatesAndVersionsAlone) {
  std::vector<std::string> numbers;
  for (const Quantity& q : quantities_of("IL-6 and p53 at 12.5 % in 1,250 cells, v1.2.3, 3D, 24 h"))
    numbers.push_back(q.text + q.unit);
  EXPECT_EQ(numbers, (Types{"12.5%", "1,250cells", "24h"}));
}

TEST(CheckWords, TrueWordsRaiseNoAlarm) {
  EXPECT_TRUE(types("A: 10 at 0 h and 20 at 24 h.", "In group A, growth increased from 10 to 20.").empty());
  EXPECT_TRUE(types("", "12 of 48 (25%) responded, and 1 of 3 (33%) did not.").empty());
  EXPECT_TRUE(types("(A) One. (B) Two.", "As seen in Figure 2A and B, but not in Figure 3D.").empty());
  EXPECT_TRUE(types("", "It did not increase from 20 to 10 at once.").empty());
}

TEST(CheckWords, ATrendAgainstItsOwnNumbersIsATrendInconsistency) {
  EXPECT_EQ(types("", "Growth decreased from 10 to 20 mm."), Types{"trend_inconsistency"});
}

TEST(CheckWords, ANumberToldTwiceDifferentlyIsANumericalInconsistency) {
  const auto found = types("A: 10 at 0 h and 20 at 24 h.", "In group A, growth increased from 10 to 40.");
  ASSERT_FALSE(found.empty());
  for (const std::string& type : found) EXPECT_EQ(type, "numerical_inconsistency");
}

TEST(CheckWords, SharesMustBeWhatTheirCountsGive) {
  EXPECT_EQ(types("", "12 of 48 (30%) responded."), Types{"numerical_inconsistency"});
}

TEST(CheckWords, PanelsThatTheCaptionDoesNotKnowAreMissing) {
  EXPECT_EQ(types("Figure 2. (A) One. (B) Two.", "This is seen in Figure 2D."), Types{"missing_panel"});
}

TEST(CheckWords, ValuesTiedToTheWrongPanelAreFound) {
  const std::string caption = "Samples: (a) 1.0 wt % Cu, (b) 1.5 wt % Cu, and (c) 2.0 wt % Cu.";
  EXPECT_TRUE(types(caption, "Absent in the 1.0 wt % specimen (Figure 8a).").empty());
  EXPECT_EQ(types(caption, "Absent in the 1.5 wt % specimen (Figure 8a)."), Types{"numerical_inconsistency"});
}

TEST(CheckWords, NothingToCompareIsLeftOpen) {
  const std::vector<Passage> passages = {{"caption", "Cells."}};
  EXPECT_EQ(check_words(kBlank, {}, passages).undecided.size(), 2U);
}

TEST(CheckWords, ScaleBarsAreComparedWithThePicture) {
  const std::vector<Passage> passages = {{"caption", "Cells. Scale bar: 50 um."}};
  const std::vector<reading::Word> same = {{.text = "50", .confidence = 90},
                                           {.text = "um", .confidence = 90}};
  const std::vector<reading::Word> other = {{.text = "100", .confidence = 90},
                                            {.text = "um", .confidence = 90}};
  EXPECT_TRUE(check_words(kBlank, same, passages).findings.empty());
  EXPECT_EQ(check_words(kBlank, other, passages).findings.size(), 1U);
}

// Two bars of one colour, 100 and 50 on an axis of 0 to 100, drawn by hand.
TEST(ReadChart, MeasuresBarsAgainstTheNumbersOfTheAxis) {
  imaging::Image chart(300, 300, 3, 255);
  const auto fill = [&](int x0, int y0, int x1, int y1, std::uint8_t r, std::uint8_t g, std::uint8_t b) {
    for (int y = y0; y < y1; ++y) {
      for (int x = x0; x < x1; ++x) {
        chart.at(x, y)[0] = r, chart.at(x, y)[1] = g, chart.at(x, y)[2] = b;
      }
    }
  };
  fill(50, 40, 51, 251, 20, 20, 20);
  fill(50, 250, 290, 251, 20, 20, 20);
  fill(100, 250, 101, 258, 20, 20, 20);
  fill(220, 250, 221, 258, 20, 20, 20);
  fill(80, 50, 120, 250, 200, 60, 50);
  fill(200, 150, 240, 250, 200, 60, 50);
  fill(100, 10, 115, 25, 200, 60, 50);
  const std::vector<reading::Word> words = {{.text = "0", .box = {30, 243, 10, 14}},
                                            {.text = "50", .box = {25, 143, 18, 14}},
                                            {.text = "100", .box = {20, 43, 26, 14}},
                                            {.text = "Drug", .box = {120, 10, 30, 14}}};
  const auto read = read_chart(chart, words);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->categories, 2U);
  ASSERT_EQ(read->series.size(), 1U);
  EXPECT_EQ(read->series[0].name, "Drug");
  ASSERT_TRUE(read->series[0].values[0] && read->series[0].values[1]);
  EXPECT_NEAR(*read->series[0].values[0], 100, 1.5);
  EXPECT_NEAR(*read->series[0].values[1], 50, 1.5);
  const std::vector<Passage> tampered = {{"caption", "Drug: 100 at start and 75 at end."}};
  EXPECT_EQ(check_words(chart, words, tampered).findings.size(), 1U);
}

}  // namespace
}  // namespace awry::inspectors::forensics
