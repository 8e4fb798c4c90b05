// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/paint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "awry/base/text.h"

namespace awry::forge {
namespace {

Painted painted(PanelKind kind, std::uint64_t seed, int width = 192, int height = 192) {
  auto panel = paint_panel(kind, width, height, RandomStream(seed));
  if (!panel) throw std::runtime_error(panel.error().message());
  return std::move(*panel);
}

double fact(const Painted& panel, std::string_view name) {
  for (const Fact& fact : panel.facts) {
    if (fact.name == name) return fact.value;
  }
  return NAN;
}

struct Number {
  double value;
  double rounding;  // half of its last digit
};

std::vector<Number> numbers_in(std::string_view text) {
  std::vector<Number> numbers;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && (std::isdigit(static_cast<unsigned char>(text[end])) != 0 ||
                                 (text[end] == '.' && end > i && end + 1 < text.size() &&
                                  std::isdigit(static_cast<unsigned char>(text[end + 1])) != 0)))
      ++end;
    if (end == i) {
      ++i;
      continue;
    }
    const std::string_view digits = text.substr(i, end - i);
    const std::size_t point = digits.find('.');
    const double decimals =
        point == std::string_view::npos ? 0 : static_cast<double>(digits.size() - point - 1);
    numbers.push_back({*parse_double(digits), 0.5 * std::pow(10, -decimals)});
    i = end;
  }
  return numbers;
}

// Names may contain digits of their own ("Day 7", "p53"): they are not statements about the picture.
std::string without_names(std::string text, const Painted& panel) {
  for (const Fact& fact : panel.facts) {
    if (!fact.unit.empty()) text = replace_all(text, " " + fact.unit, "");  // "mm3"
    const std::size_t slash = fact.name.find('/');
    if (slash == std::string::npos) continue;
    text = replace_all(text, " at " + fact.name.substr(slash + 1), "");
    text = replace_all(text, fact.name.substr(0, slash), "");
  }
  for (const char* quantity : {"IL-6", "450 nm"}) text = replace_all(text, quantity, "");
  return text;
}

class EveryKind : public testing::TestWithParam<PanelKind> {};
INSTANTIATE_TEST_SUITE_P(Paint, EveryKind, testing::ValuesIn(kAllPanelKinds),
                         [](const auto& kind) { return std::string(name_of(kind.param)); });

TEST_P(EveryKind, IsTheSameForTheSameStreamAndDiffersForAnother) {
  const Painted once = painted(GetParam(), 1), again = painted(GetParam(), 1), other = painted(GetParam(), 2);
  EXPECT_EQ(once.image, again.image);
  EXPECT_EQ(once.caption, again.caption);
  EXPECT_EQ(once.facts, again.facts);
  EXPECT_NE(once.image, other.image);
}

TEST_P(EveryKind, HasTheSizeAskedForAndKeepsAnnotationsInside) {
  for (const auto& [width, height] : {std::pair(64, 64), std::pair(64, 200), std::pair(301, 97)}) {
    const Painted panel = painted(GetParam(), 3, width, height);
    EXPECT_EQ(panel.image.width, width);
    EXPECT_EQ(panel.image.height, height);
    EXPECT_EQ(panel.image.channels, 3);
    for (const Box& box : panel.annotations) {
      EXPECT_GE(box.x, 0);
      EXPECT_GE(box.y, 0);
      EXPECT_LE(box.x + box.width, width);
      EXPECT_LE(box.y + box.height, height);
    }
  }
}

TEST_P(EveryKind, SaysOnlyNumbersThatAreAmongItsFacts) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Painted panel = painted(GetParam(), seed);
    std::vector<std::string> texts = panel.sentences;
    texts.push_back(panel.caption);
    for (const std::string& text : texts) {
      for (const Number& said : numbers_in(without_names(text, panel))) {
        EXPECT_TRUE(std::ranges::any_of(
            panel.facts,
            [&](const Fact& fact) { return std::abs(fact.value - said.value) <= said.rounding + 1e-9; }))
            << said.value << " in: " << text;
      }
    }
  }
}

TEST_P(EveryKind, RefusesSidesOutOfRange) {
  for (const auto& [width, height] :
       {std::pair(63, 100), std::pair(100, 0), std::pair(-1, 100), std::pair(4097, 100)}) {
    const auto panel = paint_panel(GetParam(), width, height, RandomStream(1));
    ASSERT_FALSE(panel);
    EXPECT_EQ(panel.error().kind, ErrorKind::kLimit);
  }
}

TEST_P(EveryKind, IsFoundByItsName) {
  EXPECT_EQ(panel_kind_named(name_of(GetParam())), GetParam());
  EXPECT_EQ(panel_kind_named("painting"), std::nullopt);
}

TEST(PaintMicrographs, DrawScaleBarsAsLongAsTheySay) {
  for (const PanelKind kind : {PanelKind::kMicrograph, PanelKind::kStainedMicrograph}) {
    for (const int side : {64, 192, 333}) {
      const Painted panel = painted(kind, 5, side, side);
      ASSERT_EQ(panel.annotations.size(), 1);
      const double pixel_um = fact(panel, "pixel_size");
      EXPECT_NEAR(panel.annotations.front().width * pixel_um, fact(panel, "scale_bar"), pixel_um);
    }
  }
}

TEST(PaintMicrographs, ShareStainsAndMagnificationWithinAStyle) {
  const RandomStream style(7);
  const auto one = paint_panel(PanelKind::kMicrograph, 128, 128, RandomStream(1), style);
  const auto two = paint_panel(PanelKind::kMicrograph, 128, 128, RandomStream(2), style);
  ASSERT_TRUE(one && two);
  EXPECT_NE(one->image, two->image);
  EXPECT_EQ(one->caption, two->caption);
  EXPECT_EQ(fact(*one, "pixel_size"), fact(*two, "pixel_size"));
}

TEST(PaintChart, TellsTrendsThatItsValuesHave) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Painted panel = painted(PanelKind::kChart, seed, 128, 128);
    for (const std::string& sentence : panel.sentences) {
      const auto numbers = numbers_in(sentence.substr(sentence.rfind(" from ")));
      ASSERT_EQ(numbers.size(), 2 + (contains_ignoring_case(sentence, "mm3") ? 1 : 0)) << sentence;
      if (contains_ignoring_case(sentence, "increased")) {
        EXPECT_LE(numbers[0].value, numbers[1].value);
      }
      if (contains_ignoring_case(sentence, "decreased")) {
        EXPECT_GE(numbers[0].value, numbers[1].value);
      }
    }
  }
}

TEST(PaintChart, KeepsSharesBelowOneHundredPerCent) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    for (const Fact& fact : painted(PanelKind::kChart, seed, 96, 96).facts) {
      if (fact.unit == "%") {
        EXPECT_LE(fact.value, 100);
      }
    }
  }
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double n = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n,
               mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double product = 0, square_a = 0, square_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += (a[i] - mean_a) * (b[i] - mean_b);
    square_a += std::pow(a[i] - mean_a, 2), square_b += std::pow(b[i] - mean_b, 2);
  }
  return product / std::sqrt(square_a * square_b);
}

// Lanes divide a strip evenly, and its frame is four boxes one pixel thin, the upper edge first.
std::vector<double> ink_per_lane(const Painted& blot, const Box& top_edge, const Box& left_edge, int lanes) {
  std::vector<double> ink(static_cast<std::size_t>(lanes), 0.0);
  const int x0 = static_cast<int>(top_edge.x), width = static_cast<int>(top_edge.width);
  for (int y = static_cast<int>(left_edge.y) + 2; y < left_edge.y + left_edge.height - 2; ++y) {
    for (int x = 2; x < width - 2; ++x)
      ink[static_cast<std::size_t>(x * lanes / width)] += 255 - *blot.image.at(x0 + x, y);
  }
  return ink;
}

TEST(PaintBlot, DrawsBandsAsStrongAsItsFactsSay) {
  std::vector<double> agreement;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Painted blot = painted(PanelKind::kBlot, seed, 320, 320);
    if (std::isnan(fact(blot, "lanes"))) continue;  // a gel
    const int lanes = static_cast<int>(fact(blot, "lanes"));
    std::vector<double> amounts;
    for (const Fact& fact : blot.facts) {
      if (fact.name.find("/lane ") != std::string::npos) amounts.push_back(fact.value);
    }
    std::vector<std::size_t> frames;
    for (std::size_t i = 0; i + 3 < blot.annotations.size(); ++i) {
      if (blot.annotations[i].height == 1 && blot.annotations[i + 1].height == 1) frames.push_back(i);
    }
    ASSERT_EQ(frames.size() * static_cast<std::size_t>(lanes), amounts.size());
    for (std::size_t row = 0; row + 1 < frames.size(); ++row) {  // the last is the even loading control
      const auto begin = amounts.begin() + static_cast<std::ptrdiff_t>(row) * lanes;
      agreement.push_back(correlation(
          {begin, begin + lanes},
          ink_per_lane(blot, blot.annotations[frames[row]], blot.annotations[frames[row] + 2], lanes)));
    }
  }
  ASSERT_GE(agreement.size(), 6);
  std::ranges::sort(agreement);
  EXPECT_GT(agreement[agreement.size() / 2], 0.85);
  EXPECT_GT(agreement.front(), 0.0);
}

}  // namespace
}  // namespace awry::forge
