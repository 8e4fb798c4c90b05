// SPDX-License-Identifier: Apache-2.0
#include "awry/score/map_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "awry/base/random.h"

namespace awry::score {
namespace {

struct TestMap {
  int width = 0, height = 0;
  std::vector<float> scores;
  std::vector<std::uint8_t> mask;  // empty: good
  std::optional<bool> anomalous;
  bool in_pixel_metrics = true;
  std::vector<MarkedDefect> defects;
};

class VectorSource : public MapSource {
 public:
  explicit VectorSource(std::vector<TestMap> given) : maps(std::move(given)) {}
  std::size_t size() const override { return maps.size(); }
  Result<ScoredMap> read(std::size_t index) override {
    const TestMap& map = maps[index];
    return ScoredMap{.name = "map_" + std::to_string(index) + ".tiff",
                     .width = map.width,
                     .height = map.height,
                     .scores = map.scores,
                     .mask_width = map.mask.empty() ? 0 : map.width,
                     .mask_height = map.mask.empty() ? 0 : map.height,
                     .mask = map.mask,
                     .defects = map.defects,
                     .anomalous = map.anomalous,
                     .in_pixel_metrics = map.in_pixel_metrics};
  }
  std::vector<TestMap> maps;
};

MapScores scored(std::vector<TestMap> maps, const MapScoreOptions& options = {}) {
  VectorSource source(std::move(maps));
  auto result = score_maps(source, options);
  EXPECT_TRUE(result) << result.error().message();
  return result ? *result : MapScores{};
}

// The definition, word for word: every distinct score is a threshold, and each region's overlap is counted
// anew at each. Shares no code with the implementation.
struct BySweeping {
  double au_pro = 0, p_auroc = 0;
};

std::vector<std::vector<std::size_t>> regions_by_growing(const TestMap& map) {
  std::vector<std::vector<std::size_t>> regions;
  std::vector<bool> seen(map.mask.size());
  for (std::size_t start = 0; start < map.mask.size(); ++start) {
    if (map.mask[start] == 0 || seen[start]) continue;
    std::vector<std::size_t> region{start};
    seen[start] = true;
    for (std::size_t next = 0; next < region.size(); ++next) {
      const int x = static_cast<int>(region[next]) % map.width,
                y = static_cast<int>(region[next]) / map.width;
      for (int v = std::max(0, y - 1); v <= std::min(map.height - 1, y + 1); ++v) {
        for (int u = std::max(0, x - 1); u <= std::min(map.width - 1, x + 1); ++u) {
          const std::size_t at = static_cast<std::size_t>(v) * map.width + u;
          if (map.mask[at] == 0 || seen[at]) continue;
          seen[at] = true;
          region.push_back(at);
        }
      }
    }
    regions.push_back(region);
  }
  return regions;
}

double area_up_to(const std::vector<double>& x, const std::vector<double>& y, double limit) {
  double area = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (x[i] <= limit) {
      area += (x[i] - x[i - 1]) * (y[i] + y[i - 1]) / 2;
      continue;
    }
    const double share = (limit - x[i - 1]) / (x[i] - x[i - 1]);
    return area + (limit - x[i - 1]) * (2 * y[i - 1] + share * (y[i] - y[i - 1])) / 2;
  }
  return area;
}

BySweeping by_sweeping(const std::vector<TestMap>& maps, double limit) {
  std::set<float, std::greater<>> thresholds;
  double normals = 0, defects = 0;
  for (const TestMap& map : maps) {
    for (std::size_t i = 0; i < map.scores.size(); ++i) {
      thresholds.insert(map.scores[i]);
      (!map.mask.empty() && map.mask[i] != 0 ? defects : normals) += 1;
    }
  }
  std::vector<double> fpr{0}, tpr{0}, pro{0};
  for (const float threshold : thresholds) {
    double false_pixels = 0, true_pixels = 0, overlap = 0, regions = 0;
    for (const TestMap& map : maps) {
      for (std::size_t i = 0; i < map.scores.size(); ++i) {
        if (map.scores[i] < threshold) continue;
        (!map.mask.empty() && map.mask[i] != 0 ? true_pixels : false_pixels) += 1;
      }
      for (const auto& region : regions_by_growing(map)) {
        const auto covered =
            std::ranges::count_if(region, [&](auto i) { return map.scores[i] >= threshold; });
        overlap += static_cast<double>(covered) / static_cast<double>(region.size());
        regions += 1;
      }
    }
    fpr.push_back(false_pixels / normals);
    tpr.push_back(true_pixels / defects);
    pro.push_back(overlap / regions);
  }
  return {.au_pro = area_up_to(fpr, pro, limit) / limit, .p_auroc = area_up_to(fpr, tpr, 1)};
}

TEST(ScoreMaps, HoldsTheUnitVector) {
  TestMap map{.width = 7, .height = 400};
  for (int k = 0; k < 2800; ++k) {
    map.scores.push_back(static_cast<float>(k / 2800.0));
    map.mask.push_back(k % 7 == 3 ? 1 : 0);
  }
  const MapScores result = scored({map}, {.pro_limit = 1.0 / 3});
  EXPECT_NEAR(*result.au_pro, 1.0 / 6, 1e-5);
  EXPECT_NEAR(*result.au_pro, by_sweeping({map}, 1.0 / 3).au_pro, 1e-12);
  EXPECT_EQ(result.regions, 1U);
  EXPECT_EQ(result.normal_pixels, 2400U);
}

TEST(ScoreMaps, WeighsRegionsEqually) {
  // A region of one pixel is found at once, one of three never before all normal pixels.
  const TestMap map{.width = 7,
                    .height = 1,
                    .scores = {0.9f, 0.5f, 0.1f, 0.1f, 0.1f, 0.5f, 0.5f},
                    .mask = {1, 0, 1, 1, 1, 0, 0}};
  const MapScores result = scored({map}, {.pro_limit = 1});
  EXPECT_EQ(result.regions, 2U);
  EXPECT_DOUBLE_EQ(*result.au_pro, 0.5);
  EXPECT_DOUBLE_EQ(*result.p_auroc, 0.25);
}

TEST(ScoreMaps, CutsATieAtTheLimit) {
  // One tie of everything: the curve is the diagonal, so the area up to L is L^2/2, and divided by L is L/2.
  const TestMap map{.width = 4, .height = 1, .scores = {1, 1, 1, 1}, .mask = {1, 0, 0, 1}};
  EXPECT_DOUBLE_EQ(*scored({map}).au_pro, 0.15);
  EXPECT_DOUBLE_EQ(*scored({map}, {.pro_limit = 1}).au_pro, 0.5);
  EXPECT_DOUBLE_EQ(*scored({map}).p_auroc, 0.5);
}

TEST(ScoreMaps, IsOneForAPerfectMapAndZeroForAReversedOne) {
  const TestMap perfect{.width = 3, .height = 1, .scores = {5, 2, -1}, .mask = {1, 0, 0}};
  const TestMap good{.width = 2, .height = 1, .scores = {0, -7}};
  const MapScores best = scored({perfect, good});
  EXPECT_DOUBLE_EQ(*best.au_pro, 1);
  EXPECT_DOUBLE_EQ(*best.p_auroc, 1);
  EXPECT_DOUBLE_EQ(*best.i_auroc, 1);

  const TestMap reversed{.width = 3, .height = 1, .scores = {-9, 2, 3}, .mask = {1, 0, 0}};
  const TestMap high{.width = 2, .height = 1, .scores = {8, 4}};
  const MapScores worst = scored({reversed, high});
  EXPECT_DOUBLE_EQ(*worst.au_pro, 0);
  EXPECT_DOUBLE_EQ(*worst.p_auroc, 0);
  EXPECT_DOUBLE_EQ(*worst.i_auroc, 0);
  EXPECT_EQ(worst.image_scores, (std::vector<double>{3, 8}));
}

std::vector<TestMap> random_maps(RandomStream& random, int largest_side, int levels) {
  std::vector<TestMap> maps;
  const int count = random.integer(2, 5);
  for (int m = 0; m < count; ++m) {
    TestMap map{random.integer(1, largest_side), random.integer(1, largest_side)};
    const bool good = m == 1;
    const double density = random.uniform(0.05, 0.6);
    for (int i = 0; i < map.width * map.height; ++i) {
      const bool defect = !good && (random.chance(density) || (m == 0 && i == 0));
      const float score =
          static_cast<float>(random.integer(-levels, levels) + (defect ? levels / 3 : 0)) / 7.0f;
      map.scores.push_back(random.chance(0.05) ? -0.0f : score);
      if (!good) map.mask.push_back(defect ? 200 : 0);
    }
    maps.push_back(map);
  }
  return maps;
}

TEST(ScoreMaps, EqualsTheLiteralSweepOnTiedNoise) {
  RandomStream random(11);
  for (int round = 0; round < 150; ++round) {
    const auto maps = random_maps(random, 9, random.pick(std::vector{0, 1, 4, 40, 4000}));
    const double limit = random.pick(std::vector{0.05, 0.3, 0.5, 1.0});
    const MapScores result = scored(maps, {.pro_limit = limit});
    const BySweeping expected = by_sweeping(maps, limit);
    ASSERT_NEAR(*result.au_pro, expected.au_pro, 1e-12) << round;
    ASSERT_NEAR(*result.p_auroc, expected.p_auroc, 1e-12) << round;
    EXPECT_EQ(result.readings, 1U);
  }
}

TEST(ScoreMaps, DoesNotMoveUnderAMonotoneChangeOfScores) {
  RandomStream random(12);
  for (int round = 0; round < 20; ++round) {
    auto maps = random_maps(random, 20, 30);
    const MapScores before = scored(maps);
    for (TestMap& map : maps) {
      for (float& score : map.scores) score = std::exp2(score * 5);
    }
    const MapScores after = scored(maps);
    EXPECT_EQ(*before.au_pro, *after.au_pro);
    EXPECT_EQ(*before.p_auroc, *after.p_auroc);
    EXPECT_EQ(before.i_auroc, after.i_auroc);
  }
}

TEST(ScoreMaps, ReadsAgainRatherThanExceedTheMemoryLimit) {
  RandomStream random(13);
  std::vector<TestMap> maps;
  for (int m = 0; m < 3; ++m) {
    TestMap map{300, 250};
    for (int i = 0; i < map.width * map.height; ++i) {
      // Any finite float: as many distinct leading halves as there can be.
      auto bits = static_cast<std::uint32_t>(random.next());
      if ((bits & 0x7F80'0000U) == 0x7F80'0000U) bits ^= 0x4000'0000U;
      map.scores.push_back(std::bit_cast<float>(bits));
      map.mask.push_back(m < 2 && i % 300 < 150 ? 1 : 0);
    }
    maps.push_back(map);
  }
  const MapScores at_once = scored(maps);
  const MapScores in_parts = scored(maps, {.memory_limit = 1});
  EXPECT_EQ(at_once.readings, 1U);
  EXPECT_GT(in_parts.readings, 4U);
  EXPECT_LT(in_parts.readings, 60U);
  EXPECT_NEAR(*in_parts.au_pro, *at_once.au_pro, 1e-12);
  EXPECT_NEAR(*in_parts.p_auroc, *at_once.p_auroc, 1e-12);
}

TEST(ScoreMaps, SeparatesImageLabelsFromPixels) {
  const TestMap target{.width = 2, .height = 1, .scores = {3, 1}, .mask = {1, 0}};
  // A defect elsewhere: normal for the decision, left out of the pixels.
  const TestMap other{.width = 2,
                      .height = 1,
                      .scores = {9, 8},
                      .mask = {1, 0},
                      .anomalous = false,
                      .in_pixel_metrics = false};
  const MapScores result = scored({target, other});
  EXPECT_DOUBLE_EQ(*result.i_auroc, 0);
  EXPECT_DOUBLE_EQ(*result.p_auroc, 1);
  EXPECT_EQ(result.normal_pixels, 1U);
  EXPECT_EQ(result.anomalous_pixels, 1U);
}

TEST(ScoreMaps, SaysWhatIsUndefined) {
  const TestMap good{.width = 2, .height = 1, .scores = {1, 2}};
  const MapScores only_good = scored({good, good});
  EXPECT_FALSE(only_good.i_auroc || only_good.p_auroc || only_good.au_pro);
  EXPECT_EQ(only_good.notes.size(), 2U);

  const TestMap covered{.width = 2, .height = 1, .scores = {1, 2}, .mask = {1, 1}};
  const MapScores no_normal = scored({covered});
  EXPECT_FALSE(no_normal.i_auroc || no_normal.p_auroc || no_normal.au_pro);

  EXPECT_EQ(scored({}).notes.size(), 2U);
}

std::string message_of(const Result<MapScores>& result) {
  return result ? "no error" : result.error().message();
}

TEST(ScoreMaps, NamesTheMapAndPixelThatIsNoNumber) {
  TestMap map{.width = 3, .height = 2, .scores = {0, 0, 0, 0, 0, 0}, .mask = {1, 0, 0, 0, 0, 0}};
  for (const float bad :
       {std::nanf(""), std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
    map.scores[5] = bad;
    VectorSource source({map});
    const std::string message = message_of(score_maps(source));
    EXPECT_NE(message.find("map_0.tiff"), std::string::npos) << message;
    EXPECT_NE(message.find("x=2, y=1"), std::string::npos) << message;
  }
}

TEST(ScoreMaps, RefusesAMaskOfAnotherSize) {
  class OddSource : public MapSource {
   public:
    std::size_t size() const override { return 1; }
    Result<ScoredMap> read(std::size_t) override {
      return ScoredMap{.name = "a.tiff",
                       .width = 2,
                       .height = 2,
                       .scores = scores,
                       .mask_width = 1,
                       .mask_height = 4,
                       .mask = mask};
    }
    std::vector<float> scores = std::vector<float>(4);
    std::vector<std::uint8_t> mask = std::vector<std::uint8_t>(4);
  } source;
  EXPECT_NE(message_of(score_maps(source)).find("the map is 2x2, but its mask is 1x4"), std::string::npos);
}

TEST(ScoreMaps, RefusesBrokenMapsAndLimits) {
  VectorSource short_map({TestMap{.width = 3, .height = 3, .scores = {1, 2}}});
  EXPECT_FALSE(score_maps(short_map));
  VectorSource empty_map({TestMap{}});
  EXPECT_FALSE(score_maps(empty_map));
  VectorSource fine({TestMap{.width = 2, .height = 1, .scores = {1, 2}, .mask = {0, 1}}});
  for (const double limit : {0.0, -1.0, 1.5, std::nan("")}) {
    EXPECT_FALSE(score_maps(fine, {.pro_limit = limit})) << limit;
  }
}

TEST(ScoreMaps, PassesOnWhatTheSourceFailsOn) {
  class FailingSource : public MapSource {
   public:
    std::size_t size() const override { return 3; }
    Result<ScoredMap> read(std::size_t) override {
      return fail({.what = "cannot read map", .input = "x.tiff"});
    }
  } source;
  EXPECT_NE(message_of(score_maps(source)).find("x.tiff"), std::string::npos);
}

TEST(ScoreMaps, SaturatedDefectIsFoundByItsHighestPixels) {
  const std::vector<std::uint8_t> mask = {1, 1, 1, 1, 0, 0, 0, 0};
  const TestMap map{.width = 8,
                    .height = 1,
                    .scores = {9, 8, 1, 0, 5, 4, 3, 2},
                    .mask = mask,
                    .defects = {{.mask = mask, .saturation_area = 2}}};
  // Two of four pixels lie above every normal one, two below: half of the region at any FPR. But two pixels
  // are enough for the defect.
  const MapScores scores = scored({map}, {.pro_limit = 1});
  EXPECT_DOUBLE_EQ(*scores.au_pro, 0.5);
  EXPECT_DOUBLE_EQ(*scores.p_auroc, 0.5);
  EXPECT_DOUBLE_EQ(*scores.au_spro, 1);
}

TEST(ScoreMaps, SaturationWithinATieRisesLinearly) {
  // At threshold 5 all three pixels and one of two normal ones are in: the curve runs (0,0), (0.5,1), (1,1).
  const std::vector<std::uint8_t> mask = {1, 1, 1, 0, 0};
  const TestMap map{.width = 5,
                    .height = 1,
                    .scores = {5, 5, 5, 5, 1},
                    .mask = mask,
                    .defects = {{.mask = mask, .saturation_area = 2}}};
  EXPECT_DOUBLE_EQ(*scored({map}, {.pro_limit = 1}).au_spro, 0.75);
}

TEST(ScoreMaps, MarkedDefectsMayOverlapAndHaveSeveralPieces) {
  // One defect is the two outer pixels, the other the left half; the pixel at the left belongs to both.
  const std::vector<std::uint8_t> both = {1, 1, 0, 1}, outer = {1, 0, 0, 1}, left = {1, 1, 0, 0};
  const TestMap map{.width = 4,
                    .height = 1,
                    .scores = {9, 1, 5, 2},
                    .mask = both,
                    .defects = {{.mask = outer, .saturation_area = 2}, {.mask = left, .saturation_area = 2}}};
  const MapScores scores = scored({map}, {.pro_limit = 1});
  EXPECT_EQ(scores.marked_defects, 2U);
  EXPECT_EQ(scores.anomalous_pixels, 3U);
  EXPECT_DOUBLE_EQ(*scores.au_spro, 0.5);        // of each defect one pixel lies above the normal one
  EXPECT_DOUBLE_EQ(*scores.au_pro, 0.25);        // of the region at the left half, of that at the right none
  EXPECT_DOUBLE_EQ(*scores.p_auroc, 1.0 / 3.0);  // one of three pixels
}

TEST(ScoreMaps, HasNoSaturatedAreaUnlessEveryMaskComesWithItsDefects) {
  const std::vector<std::uint8_t> mask = {1, 0};
  const TestMap plain{.width = 2, .height = 1, .scores = {1, 0}, .mask = mask};
  TestMap marked = plain;
  marked.defects = {{.mask = mask, .saturation_area = 1}};
  const TestMap good{.width = 2, .height = 1, .scores = {0, 0}};
  EXPECT_FALSE(scored({plain, good}).au_spro);
  EXPECT_FALSE(scored({plain, marked, good}).au_spro);
  EXPECT_DOUBLE_EQ(*scored({marked, good}).au_spro, 1);
}

TEST(ScoreMaps, RefusesASaturationLargerThanItsDefect) {
  const std::vector<std::uint8_t> mask = {1, 0};
  for (const std::uint32_t area : {0U, 2U}) {
    VectorSource source({TestMap{.width = 2,
                                 .height = 1,
                                 .scores = {1, 0},
                                 .mask = mask,
                                 .defects = {{.mask = mask, .saturation_area = area}}}});
    EXPECT_NE(message_of(score_maps(source)).find("saturates at"), std::string::npos) << area;
  }
}

}  // namespace
}  // namespace awry::score
