// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/map_scoring.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "awry/benchmarks/tgad/support_test.h"
#include "awry/imaging/encode.h"

namespace awry::benchmarks::tgad {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

Summary scored(const fs::path& truth, const fs::path& maps, const MapScoringOptions& options = {}) {
  auto summary = score_map_folder(truth, maps, options);
  EXPECT_TRUE(summary) << message_of(summary);
  return summary ? *summary : Summary{};
}

TEST(ScoreMapFolder, AgreesWithTheUnitVectorOfAupro) {
  SmallClass small;
  constexpr int kRows = 400, kColumns = 7;
  std::vector<std::uint8_t> mask(kRows * kColumns);
  imaging::FloatMap map{.width = kColumns, .height = kRows};
  for (int k = 0; k < kRows * kColumns; ++k) {
    mask[k] = k % kColumns == 3;
    map.values.push_back(static_cast<float>(k) / (kRows * kColumns));
  }
  SmallClass::write_bitmap(small.truth / "test/line/000.png", mask, kRows);
  SmallClass::write_bitmap(small.truth / "ground_truth/line/000_mask.png", mask, kRows);
  SmallClass::write_map(small.maps / "line/000.tiff", map);
  const Summary summary = scored(small.truth, small.maps, {.pro_limit = 1.0 / 3});
  // Row i from the highest has its defect pixel at FPR (6i - 3) / 2400: the first 133 are within 1/3, and
  // their widths up to there sum to 53333 / 2400, for one region of 400 pixels.
  EXPECT_NEAR(*value_of(summary, "", "au_pro"), 53333.0 / 2400 / 400 * 3, 1e-12);
  EXPECT_NEAR(*value_of(summary, "", "au_pro"), 1.0 / 6, 2e-6);
  EXPECT_FALSE(value_of(summary, "", "i_auroc"));
  EXPECT_THAT(summary.notes, ::testing::Contains(HasSubstr("i_auroc is undefined: 1 of 1 images")));
}

// Normal pixels 1, 0.5, 2 and 0; defects at 1.5 and 5.
SmallClass two_kinds() {
  SmallClass small;
  small.add("a", "000", {1.5F, 1}, {1, 0});
  small.add("b", "000", {5, 0.5F}, {1, 0});
  small.add("good", "000", {2, 0});
  return small;
}

TEST(ScoreMapFolder, ScoresAClassByHand) {
  const SmallClass small = two_kinds();
  const Summary summary = scored(small.truth, small.maps, {.pro_limit = 0.5});
  // 1.5 loses to the good image's 2, 5 wins. 1.5 lies above three of four normal pixels, 5 above all.
  EXPECT_DOUBLE_EQ(*value_of(summary, "", "i_auroc"), 0.5);
  EXPECT_DOUBLE_EQ(*value_of(summary, "", "p_auroc"), 0.875);
  // PRO is 1/2 up to FPR 1/4, then 1: (1/8 + 1/4) / (1/2).
  EXPECT_DOUBLE_EQ(*value_of(summary, "", "au_pro"), 0.75);
  EXPECT_EQ(summary.outcomes.of(Outcome::kAnswered), 3U);
  EXPECT_EQ(summary.scores.size(), 3U);
  EXPECT_THAT(summary.notes, ::testing::Contains(HasSubstr("have no interval")));
  for (const Metric& metric : summary.metrics) {
    EXPECT_EQ(metric.interval.has_value(), metric.key == "i_auroc" && metric.group != "per_error")
        << metric.group << metric.key;
    if (metric.key == "au_pro") {
      EXPECT_THAT(metric.signature, HasSubstr("|limit:0.5|"));
    }
  }
}

TEST(ScoreMapFolder, AveragesPerErrorAgainstAllGoodImages) {
  const SmallClass small = two_kinds();
  const Summary summary = scored(small.truth, small.maps, {.pro_limit = 1, .per_error = true});
  EXPECT_DOUBLE_EQ(*value_of(summary, "defect:a", "i_auroc"), 0);
  EXPECT_DOUBLE_EQ(*value_of(summary, "defect:b", "i_auroc"), 1);
  EXPECT_DOUBLE_EQ(*value_of(summary, "per_error", "i_auroc"), 0.5);
  // a alone ranks 1.5 among 1, 2, 0; b alone ranks 5 among 0.5, 2, 0.
  EXPECT_DOUBLE_EQ(*value_of(summary, "defect:a", "p_auroc"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(*value_of(summary, "defect:b", "p_auroc"), 1);
  EXPECT_DOUBLE_EQ(*value_of(summary, "per_error", "p_auroc"), 5.0 / 6);
  EXPECT_DOUBLE_EQ(*value_of(summary, "per_error", "au_pro"), 5.0 / 6);
  // Without it only what costs nothing.
  const Summary quick = scored(small.truth, small.maps);
  EXPECT_DOUBLE_EQ(*value_of(quick, "per_error", "i_auroc"), 0.5);
  EXPECT_FALSE(value_of(quick, "per_error", "p_auroc"));
}

TEST(ScoreMapFolder, AveragesClassesEqually) {
  const SmallClass small = two_kinds();
  const fs::path other = small.truth.parent_path() / "other";
  for (const char* image : {"test/cut/0.png", "test/good/0.png"})
    SmallClass::write_bitmap(other / image, {0, 0});
  SmallClass::write_bitmap(other / "ground_truth/cut/0_mask.png", {0, 1});
  const fs::path maps = small.maps.parent_path() / "all";
  fs::create_directories(maps / "widget");
  fs::copy(small.maps, maps / "widget/test", fs::copy_options::recursive);
  SmallClass::write_map(maps / "other/test/cut/0.tiff", {.width = 2, .height = 1, .values = {0, 1}});
  SmallClass::write_map(maps / "other/test/good/0.tiff", {.width = 2, .height = 1, .values = {0, 0}});
  const Summary summary = scored(small.truth.parent_path(), maps, {.pro_limit = 0.5});
  EXPECT_DOUBLE_EQ(*value_of(summary, "other", "au_pro"), 1);
  EXPECT_DOUBLE_EQ(*value_of(summary, "widget", "au_pro"), 0.75);
  EXPECT_DOUBLE_EQ(*value_of(summary, "", "au_pro"), 0.875);
  EXPECT_EQ(summary.metrics.front().group, "");
  EXPECT_DOUBLE_EQ(*value_of(summary, "widget/defect:b", "i_auroc"), 1);
}

TEST(ScoreMapFolder, SaturatesTheDefectsOfLoco) {
  SmallClass small;
  small.add("logical_anomalies", "000", {9, 8, 1, 0, 5, 4, 3, 2});
  small.add("good", "000", {0, 0, 0, 0, 0, 0, 0, 0});
  imaging::Image mask(8, 1, 1);
  mask.pixels = {200, 200, 200, 200, 0, 0, 0, 0};
  const fs::path mask_path = small.truth / "ground_truth/logical_anomalies/000/000.png";
  SmallClass::write(mask_path, imaging::encode_png(mask));
  const auto write_config = [&](double threshold, bool relative) {
    SmallClass::write(small.truth / "defects_config.json",
                      R"([{"defect_name": "missing", "pixel_value": 200, "saturation_threshold": )" +
                          std::to_string(threshold) + R"(, "relative_saturation": )" +
                          (relative ? "true}]" : "false}]"));
  };
  // Two of the four pixels lie above every normal one and suffice; shares are rounded down to pixels.
  for (const auto& [threshold, relative] : {std::pair(2.0, false), {0.5, true}, {0.7, true}, {0.1, true}}) {
    write_config(threshold, relative);
    const Summary summary = scored(small.truth, small.maps, {.pro_limit = 1});
    EXPECT_DOUBLE_EQ(*value_of(summary, "", "au_spro"), 1) << threshold;
    EXPECT_DOUBLE_EQ(*value_of(summary, "", "au_pro"), 0.75);
  }
  // No defect can ask for more than all of itself: 1 lies above eight of twelve normal pixels, 0 ties with
  // those eight, which makes (1 + 1 + 8/12 + 4/12) / 4.
  write_config(1000, false);
  const Summary whole = scored(small.truth, small.maps, {.pro_limit = 1});
  EXPECT_DOUBLE_EQ(*value_of(whole, "", "au_spro"), 0.75);

  mask.pixels[1] = 77;
  SmallClass::write(mask_path, imaging::encode_png(mask));
  EXPECT_THAT(message_of(score_map_folder(small.truth, small.maps)), HasSubstr("one defect has one value"));
  mask.pixels.assign(8, 77);
  SmallClass::write(mask_path, imaging::encode_png(mask));
  EXPECT_THAT(message_of(score_map_folder(small.truth, small.maps)), HasSubstr("no pixel value 77"));
}

TEST(ScoreMapFolder, SeveralMasksOfAnImageNeedNoConfiguration) {
  SmallClass small;
  small.add("logical_anomalies", "000", {9, 8, 1, 0, 5, 4, 3, 2});
  small.add("good", "000", {0, 0, 0, 0, 0, 0, 0, 0});
  imaging::Image mask(8, 1, 1);
  mask.pixels = {255, 1, 0, 0, 0, 0, 0, 0};
  SmallClass::write(small.truth / "ground_truth/logical_anomalies/000/000.png", imaging::encode_png(mask));
  mask.pixels = {0, 0, 7, 7, 0, 0, 0, 0};
  SmallClass::write(small.truth / "ground_truth/logical_anomalies/000/001.png", imaging::encode_png(mask));
  const Summary summary = scored(small.truth, small.maps, {.pro_limit = 1});
  EXPECT_DOUBLE_EQ(*value_of(summary, "", "au_pro"), 0.75);  // the masks together, as above
  EXPECT_FALSE(value_of(summary, "", "au_spro"));
  EXPECT_THAT(summary.notes, testing::Contains(HasSubstr("without a defects_config.json")));
}

TEST(ScoreMapFolder, ScoresVisaByItsTable) {
  const SmallClass small("candle");
  const fs::path root = small.truth.parent_path();
  imaging::Image mask(2, 1, 1);
  mask.pixels = {3, 0};  // VisA numbers its kinds of defects
  SmallClass::write(root / "candle/Data/Masks/Anomaly/000.png", imaging::encode_png(mask));
  SmallClass::write_bitmap(root / "candle/Data/Images/Anomaly/000.png", {0, 0});
  SmallClass::write_bitmap(root / "candle/Data/Images/Normal/0001.png", {0, 0});
  SmallClass::write(
      root / "split_csv/1cls.csv",
      "object,split,label,image,mask\n"
      "candle,test,anomaly,candle/Data/Images/Anomaly/000.png,candle/Data/Masks/Anomaly/000.png\n"
      "candle,test,normal,candle/Data/Images/Normal/0001.png,\n");
  SmallClass::write_map(small.maps / "candle/Data/Images/Anomaly/000.tiff",
                        {.width = 2, .height = 1, .values = {2, 0}});
  SmallClass::write_map(small.maps / "candle/Data/Images/Normal/0001.tiff",
                        {.width = 2, .height = 1, .values = {1, 3}});
  const Summary summary = scored(root, small.maps);
  EXPECT_DOUBLE_EQ(*value_of(summary, "", "i_auroc"), 0);
  EXPECT_DOUBLE_EQ(*value_of(summary, "", "p_auroc"), 2.0 / 3);
}

TEST(ScoreMapFolder, RefusesALimitThatIsNone) {
  const SmallClass small = two_kinds();
  for (const double limit : {0.0, -0.3, 30.0}) {
    EXPECT_THAT(message_of(score_map_folder(small.truth, small.maps, {.pro_limit = limit})),
                HasSubstr("outside (0, 1]"));
  }
}

// Masks as maps: nothing can be better. One tile is called uneven without a marked pixel, so that its map
// ties with those of all good tiles.
TEST(ScoreMapFolder, GivesFullMarksToTheMasksOfRealTiles) {
  const char* data = std::getenv("AWRY_TEST_DATA");
  if (data == nullptr) GTEST_SKIP() << "AWRY_TEST_DATA is not set";
  const fs::path truth = fs::path(data) / "industrial" / "magnetic_tile";
  const auto sets = find_test_sets(truth);
  ASSERT_TRUE(sets) << message_of(sets);
  const TemporaryFolder maps;
  for (const TestImage& image : sets->front().images) {
    const fs::path path = maps.path() / (image.id + ".tiff");
    const auto size = imaging::probe_image(image.image).value();
    imaging::FloatMap map{.width = size.width, .height = size.height};
    map.values.resize(static_cast<std::size_t>(map.width) * map.height);
    if (!image.masks.empty()) {
      const auto mask = imaging::read_bitmap(image.masks.front()).value();
      map = {.width = mask.width, .height = mask.height, .values = {mask.bits.begin(), mask.bits.end()}};
    }
    SmallClass::write_map(path, map);
  }
  const Summary summary = scored(truth, maps.path(), {.per_error = true, .resamples = 100});
  EXPECT_EQ(summary.outcomes.of(Outcome::kAnswered), 254U);
  EXPECT_THAT(summary.notes,
              ::testing::Contains(HasSubstr("1 defective images have a mask that marks nothing")));
  std::size_t groups = 0;
  for (const Metric& metric : summary.metrics) {
    const double unmarked = metric.key != "i_auroc"           ? 0
                            : metric.group == ""              ? 1.0 / 194
                            : metric.group == "defect:uneven" ? 1.0 / 51
                            : metric.group == "per_error"     ? 1.0 / 51 / 5
                                                              : 0;
    EXPECT_NEAR(metric.value, 1 - unmarked / 2, 1e-15) << metric.group << " " << metric.key;
    groups += metric.key == "au_pro";
  }
  EXPECT_EQ(groups, 7U);  // the class, five kinds of defects, and their mean
}

}  // namespace
}  // namespace awry::benchmarks::tgad
