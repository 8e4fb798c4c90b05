// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/duplicate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "awry/forge/compose.h"
#include "awry/forge/paint.h"

namespace awry::forge {
namespace {

const imaging::Image& picture() {
  static const imaging::Image image =
      paint_panel(PanelKind::kStainedMicrograph, 352, 352, RandomStream(1))->image;
  return image;
}

// Where the centre of a pixel of the first panel lies in the second.
std::pair<double, double> mapped(const Transform& t, int x, int y) {
  const double u = x + 0.5, v = y + 0.5;
  return {t[0] * u + t[1] * v + t[2], t[3] * u + t[4] * v + t[5]};
}

// Every shared pixel of the first panel must equal the second panel where the transform says.
void expect_exact_copy(const DuplicatePair& pair) {
  std::size_t checked = 0;
  for (int y = 0; y < pair.first.height; ++y) {
    for (int x = 0; x < pair.first.width; ++x) {
      const auto [u, v] = mapped(pair.second_from_first, x, y);
      const bool inside = u >= 0 && v >= 0 && u < pair.second.width && v < pair.second.height;
      ASSERT_EQ(pair.shared_in_first.at(x, y) != 0, inside) << x << "," << y;
      if (!inside) continue;
      ++checked;
      const int px = static_cast<int>(std::floor(u)), py = static_cast<int>(std::floor(v));
      ASSERT_NEAR(u, px + 0.5, 1e-9);
      ASSERT_EQ(pair.shared_in_second.at(px, py), 1);
      ASSERT_TRUE(std::equal(pair.first.at(x, y), pair.first.at(x, y) + 3, pair.second.at(px, py)));
    }
  }
  EXPECT_EQ(checked, area(pair.shared_in_first));
  EXPECT_EQ(checked, area(pair.shared_in_second));
  EXPECT_DOUBLE_EQ(pair.duplication_ratio,
                   static_cast<double>(checked) / (pair.first.width * pair.first.height));
}

struct TurnCase {
  Turn turn;
  std::string operation, letters;
};
const TurnCase kTurns[] = {{Turn::kNone, "direct", "A"},
                           {Turn::kHorizontalFlip, "horizontal_flip", "D"},
                           {Turn::kVerticalFlip, "vertical_flip", "D"},
                           {Turn::kHalfTurn, "rotation_180", "C"}};

TEST(DuplicateGlobally, TurnsThePanelAndSaysHow) {
  for (const TurnCase& turn : kTurns) {
    const auto pair = duplicate_globally(picture(), {.turn = turn.turn}, {.seed = 1});
    ASSERT_TRUE(pair);
    expect_exact_copy(*pair);
    EXPECT_EQ(pair->operations, std::vector{turn.operation});
    EXPECT_EQ(pair->letters, turn.letters);
    EXPECT_EQ(pair->duplication_ratio, 1);
  }
}

TEST(DuplicateGlobally, FlipsAsWorkedByHand) {
  imaging::Image panel(2, 1, 3);
  panel.pixels = {1, 2, 3, 4, 5, 6};
  const auto pair = duplicate_globally(panel, {.turn = Turn::kHorizontalFlip}, {.seed = 1});
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->second.pixels, (std::vector<std::uint8_t>{4, 5, 6, 1, 2, 3}));
  EXPECT_EQ(pair->second_from_first, (Transform{-1, 0, 2, 0, 1, 0, 0, 0, 1}));
}

TEST(DuplicateGlobally, ReportsTheRetouchesItPerformed) {
  const std::vector<Retouch> retouches = {{Adjustment::kContrast, 1.3}, {Adjustment::kHue, 20}};
  const auto pair =
      duplicate_globally(picture(), {.turn = Turn::kHalfTurn, .retouches = retouches}, {.seed = 1});
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->operations, (std::vector<std::string>{"rotation_180", "contrast", "hue"}));
  EXPECT_EQ(pair->letters, "CE");
  imaging::Image expected = duplicate_globally(picture(), {.turn = Turn::kHalfTurn}, {.seed = 1})->second;
  for (const Retouch& step : retouches) expected = adjusted(expected, step.adjustment, step.amount);
  EXPECT_EQ(pair->second, expected);
  EXPECT_EQ(std::get<Pair>(pair->truth.where).operations, pair->operations);
}

TEST(DuplicateGlobally, ReplacesARetouchThatCannotShow) {
  const imaging::Image grey(80, 80, 3, 120);
  const auto pair = duplicate_globally(grey, {.retouches = {{Adjustment::kHue, 25}}}, {.seed = 1});
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->operations, std::vector<std::string>{"brightness"});
  EXPECT_NE(pair->second, pair->first);
  EXPECT_EQ(pair->second,
            adjusted(grey, Adjustment::kBrightness, pair->recipe.operations.back().settings.at("amount")));
}

TEST(DuplicateLocally, SharesExactlyWhatTheMasksSay) {
  for (const CropMode crop : {CropMode::kDiagonal, CropMode::kVertical, CropMode::kHorizontal}) {
    for (const TurnCase& turn : kTurns) {
      const auto pair = duplicate_locally(picture(), 160, 128,
                                          {.turn = turn.turn, .crop = crop, .shared = 0.5}, {.seed = 3});
      ASSERT_TRUE(pair) << pair.error().message();
      expect_exact_copy(*pair);
      EXPECT_NEAR(pair->duplication_ratio, 0.5, 0.02);
      EXPECT_EQ(pair->letters, turn.letters);
    }
  }
}

TEST(DuplicateLocally, ScalesSoThatBothPanelsHaveTheSameSize) {
  for (const double scale : {0.8, 1.3}) {
    const auto pair = duplicate_locally(picture(), 160, 160, {.scale = scale, .shared = 0.6}, {.seed = 3});
    ASSERT_TRUE(pair) << pair.error().message();
    EXPECT_EQ(pair->second.width, 160);
    EXPECT_EQ(pair->letters, "B");
    EXPECT_NEAR(pair->second_from_first[0], scale, 0.01);
    // Resampling blurs, but what is shared stays far more alike than pixels that only share a tissue.
    double difference = 0, unrelated = 0;
    std::size_t count = 0;
    for (int y = 0; y < 160; ++y) {
      for (int x = 0; x < 160; ++x) {
        if (pair->shared_in_first.at(x, y) == 0) continue;
        const auto [u, v] = mapped(pair->second_from_first, x, y);
        const std::uint8_t* there =
            pair->second.at(static_cast<int>(std::floor(u)), static_cast<int>(std::floor(v)));
        difference += std::abs(pair->first.at(x, y)[1] - there[1]);
        unrelated += std::abs(pair->first.at(159 - x, 159 - y)[1] - there[1]);
        ++count;
      }
    }
    EXPECT_LT(difference / static_cast<double>(count), 0.4 * unrelated / static_cast<double>(count));
  }
}

TEST(DuplicateLocally, RefusesAPictureWithoutRoom) {
  const auto pair = duplicate_locally(picture(), 352, 352, {}, {.seed = 1});
  ASSERT_FALSE(pair);
  EXPECT_NE(pair.error().message().find("352x352"), std::string::npos);
  EXPECT_FALSE(duplicate_locally(imaging::Image(350, 350, 1), 100, 100, {}, {.seed = 1}));
  EXPECT_FALSE(duplicate_globally({}, {}, {.seed = 1}));
}

TEST(Exchanged, TellsTheSamePairFromTheOtherSide) {
  const auto pair = duplicate_locally(picture(), 160, 128, {.turn = Turn::kVerticalFlip}, {.seed = 5});
  ASSERT_TRUE(pair);
  const DuplicatePair other = exchanged(*pair);
  EXPECT_EQ(other.first, pair->second);
  expect_exact_copy(other);
  const Pair& where = std::get<Pair>(other.truth.where);
  EXPECT_EQ(where.in_first, imaging::mask_from_bitmap(other.shared_in_first));
  EXPECT_EQ(where.second_from_first, other.second_from_first);
}

TEST(DuplicationPlans, StayWithinThePublishedRecipe) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const DuplicationPlan global = plan_global_duplication(RandomStream(seed));
    EXPECT_LE(global.retouches.size(), 2);
    EXPECT_EQ(global.scale, 1);
    if (global.retouches.size() == 2) {
      EXPECT_NE(global.retouches[0].adjustment, global.retouches[1].adjustment);
    }
    const DuplicationPlan local = plan_local_duplication(RandomStream(seed));
    EXPECT_GT(local.shared, 0);
    EXPECT_LT(local.shared, 1);
    EXPECT_EQ(local, plan_local_duplication(RandomStream(seed)));
  }
}

}  // namespace
}  // namespace awry::forge
