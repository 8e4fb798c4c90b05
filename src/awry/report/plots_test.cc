// SPDX-License-Identifier: Apache-2.0
#include "awry/report/plots.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "awry/report/filters.h"
#include "awry/report/line_chart.h"
#include "awry/report/markup.h"

namespace awry::report {
namespace {

TEST(NiceAxis, StepsAreRoundAndCoverTheRange) {
  const Axis axis = nice_axis(0, 97);
  EXPECT_DOUBLE_EQ(axis.low, 0);
  EXPECT_DOUBLE_EQ(axis.high, 100);
  EXPECT_DOUBLE_EQ(axis.step, 20);
  EXPECT_EQ(axis.ticks(), 6u);
}

TEST(NiceAxis, EmptyAndExtremeRangesStillHaveWidth) {
  for (const double value : {0.0, 5.0, -3.0, 1e99, -1e99, 1e-300}) {
    const Axis axis = nice_axis(value, value);
    EXPECT_LT(axis.low, axis.high) << value;
    EXPECT_GT(axis.step, 0) << value;
    EXPECT_LE(axis.ticks(), 21u);
  }
}

TEST(BinValues, EveryFiniteValueIsInTheBinItBelongsTo) {
  const auto bins = bin_values({0, 0.05, 0.5, 1, 1, std::nan("")});
  ASSERT_EQ(bins.size(), 20u);
  EXPECT_EQ(bins[0].count, 1u);
  EXPECT_EQ(bins[1].count, 1u);
  EXPECT_EQ(bins[10].count, 1u);
  EXPECT_EQ(bins[19].count, 2u);  // the last bin is closed
}

TEST(BarChart, RowsCarryLabelsAndSkipWhatHasNoValue) {
  const std::string svg =
      svg_bar_chart({.title = "t", .bars = {{"a<b", 0.5, {}}, {"none", std::nan(""), {}}}});
  EXPECT_NE(svg.find("a&lt;b"), std::string::npos);
  EXPECT_EQ(svg.find("class=\"bar\""), svg.rfind("class=\"bar\""));
  EXPECT_NE(svg.find("n/a"), std::string::npos);
}

TEST(BarChart, CountsAreWholeNumbersOnAnAxisOfWholeNumbers) {
  const std::string svg = svg_bar_chart({.title = "t", .bars = {{"a", 1, {}}, {"b", 2, {}}}, .counts = true});
  EXPECT_NE(svg.find(">2</text>"), std::string::npos);
  EXPECT_EQ(svg.find("0.5"), std::string::npos);
  EXPECT_EQ(svg.find("2.000"), std::string::npos);
  // A count of one is no share: its axis ends at 1 as well, but has no fractions.
  EXPECT_EQ(svg_bar_chart({.title = "t", .bars = {{"a", 1, {}}}, .counts = true}).find("0.2"),
            std::string::npos);
}

TEST(LineChart, EqualCurvesStandBesideOneAnother) {
  const std::string svg = svg_line_chart(
      {.title = "t", .levels = {"clean", "worse"}, .curves = {{"a", {0.5, 0.5}}, {"b", {0.5, 0.5}}}});
  std::set<std::string> paths;
  for (std::size_t at = 0; (at = svg.find(" L", at)) != std::string::npos; ++at) {
    const std::size_t begin = svg.rfind("d=\"", at);
    paths.insert(svg.substr(begin, svg.find('"', begin + 3) - begin));
  }
  EXPECT_EQ(paths.size(), 2u);
}

TEST(Safe, ControlCharactersBecomeVisible) {
  EXPECT_EQ(safe(std::string_view("a\0b\r\n", 5)), "a&#x2400;b\n");
}

TEST(DataUrl, PadsAsRfc4648Does) {
  EXPECT_EQ(data_url("x/y", ""), "data:x/y;base64,");
  EXPECT_EQ(data_url("x/y", "f"), "data:x/y;base64,Zg==");
  EXPECT_EQ(data_url("x/y", "fo"), "data:x/y;base64,Zm8=");
  EXPECT_EQ(data_url("x/y", "foobar"), "data:x/y;base64,Zm9vYmFy");
}

TEST(Marks, OneLowShareIsEnoughToBeWrongAndOtherScalesTakeNoPart) {
  Summary summary;
  summary.scores = {
      {"a", "acc", 1}, {"a", "iou", 0.2}, {"b", "acc", 0.5}, {"c", "rating", 40}, {"b", "rating", 0}};
  auto scores = scores_by_sample(summary);
  EXPECT_EQ(scores["a"].mark, Mark::kWrong);
  EXPECT_EQ(scores["b"].mark, Mark::kRight);
  EXPECT_EQ(scores["c"].mark, Mark::kUnscored);
}

TEST(Groups, AttributesWithTooManyValuesAreNotOffered) {
  std::vector<Item> items(30);
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].sample.attributes = {{"file", std::to_string(i)}, {"scene", i % 2 ? "indoor" : "outdoor"}};
  }
  EXPECT_EQ(collect_groups(items).labels, (std::vector<std::string>{"scene: indoor", "scene: outdoor"}));
}

}  // namespace
}  // namespace awry::report
