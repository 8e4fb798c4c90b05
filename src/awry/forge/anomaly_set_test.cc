// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/anomaly_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/forge/anomaly_picture.h"
#include "awry/forge/themis_set.h"
#include "awry/imaging/mask.h"

namespace awry::forge {
namespace {

namespace fs = std::filesystem;

// The camera adds light and noise after the mask is made; both pictures got the same.
void expect_mask_is_exactly_the_change(const AnomalyPicture& picture) {
  std::size_t changed_outside = 0, changed_inside = 0, inside = 0;
  for (int y = 0; y < picture.image.height; ++y) {
    for (int x = 0; x < picture.image.width; ++x) {
      const bool changed =
          !std::equal(picture.image.at(x, y), picture.image.at(x, y) + 3, picture.good.at(x, y));
      if (picture.combined.at(x, y) == 0) {
        changed_outside += changed;
      } else {
        ++inside, changed_inside += changed;
      }
    }
  }
  EXPECT_EQ(changed_outside, 0);
  EXPECT_GT(inside, 0);
  // A step of one grey level can vanish in rounding; nothing more.
  EXPECT_GT(static_cast<double>(changed_inside), 0.95 * static_cast<double>(inside));
}

TEST(PaintAssembledPanel, MasksExactlyWhatEachOfTheFourteenCategoriesChanges) {
  ASSERT_EQ(assembled_panel_categories().size(), 14);
  for (const DefectCategory& category : assembled_panel_categories()) {
    const std::vector<std::string> wanted = {std::string(category.name)};
    const auto picture = paint_assembled_panel(480, wanted, {.seed = 5});
    ASSERT_TRUE(picture) << picture.error().message();
    SCOPED_TRACE(category.name);
    expect_mask_is_exactly_the_change(*picture);
    ASSERT_EQ(picture->defects.size(), 1);
    EXPECT_FALSE(picture->defects[0].part.empty());
    EXPECT_EQ(picture->defects[0].mask, picture->combined);
  }
}

TEST(PaintAssembledPanel, CombinesDefectsThatLieApart) {
  const std::vector<std::string> wanted = {"A12_missing_red_cap", "A10_swapped_io_cables",
                                           "A02_missing_label"};
  const auto picture = paint_assembled_panel(480, wanted, {.seed = 8});
  ASSERT_TRUE(picture);
  expect_mask_is_exactly_the_change(*picture);
  imaging::Bitmap all(480, 270);
  for (const PlantedDefect& defect : picture->defects) {
    for (std::size_t i = 0; i < all.bits.size(); ++i) all.bits[i] |= defect.mask.bits[i];
  }
  EXPECT_EQ(all, picture->combined);
}

TEST(PaintAssembledPanel, RefusesWhatCannotBe) {
  EXPECT_FALSE(paint_assembled_panel(480, std::vector<std::string>{"A99_gone"}, {}));
  // Three wires through the sensor, or one of two unplugged: not both.
  const std::vector<std::string> both = {"A06_wrong_sensor_routing", "A14_unplugged_sensor_wire"};
  EXPECT_FALSE(paint_assembled_panel(480, both, {}));
}

TEST(PaintParts, PutsEachDefectOnAPartOfItsOwn) {
  for (const std::string_view object : parts_objects()) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const std::vector<std::string> wanted = {"scratch", "stain"};
      const auto picture = paint_parts_object(object, 300, wanted, {.seed = seed});
      ASSERT_TRUE(picture) << picture.error().message();
      expect_mask_is_exactly_the_change(*picture);
      EXPECT_NE(picture->defects[0].part, picture->defects[1].part);
    }
  }
  EXPECT_FALSE(paint_parts_object("teapot", 300, {}, {}));
  EXPECT_FALSE(paint_parts_object("plug", 300, std::vector<std::string>{"rust"}, {}));
}

// As many pictures as the paper has. Its rarest category was alone in less than one picture.
TEST(ForgeAnomalySet, HasAllFourteenCategoriesAtThePapersSize) {
  const TemporaryFolder folder;
  const AnomalySetOptions options{
      .good_training = 0, .good_test = 1, .defective = 53, .width = 128, .datasheet = false, .threads = 2};
  ASSERT_TRUE(forge_anomaly_set(folder.path() / "set", options));
  std::map<std::string, int> pictures;
  const Json metadata = *read_json_file(folder.path() / "set/metadata.json");
  for (const Json& item : metadata["items"]) ++pictures[item["category"]];
  EXPECT_EQ(pictures.size(), 14 + 2);  // and good and combined ones
  EXPECT_EQ(pictures["assembled_panel/test/combined"], 14);
  for (const DefectCategory& category : assembled_panel_categories())
    EXPECT_GE(pictures[std::string("assembled_panel/test/") + std::string(category.name)], 1)
        << category.name;
}

// Three wires through the sensor and an unplugged one of two never go together, so others are drawn instead;
// with this seed they come up.
TEST(ForgeAnomalySet, DrawsOtherCategoriesWhereSomeExcludeEachOther) {
  const TemporaryFolder folder;
  const AnomalySetOptions options{.seed = 5,
                                  .good_training = 0,
                                  .good_test = 0,
                                  .defective = 40,
                                  .width = 128,
                                  .datasheet = false,
                                  .threads = 2};
  ASSERT_TRUE(forge_anomaly_set(folder.path() / "set", options));
  const Json metadata = *read_json_file(folder.path() / "set/metadata.json");
  std::size_t drawn_again = 0;
  for (const Json& item : metadata["items"]) {
    drawn_again += item["stream"].get<std::string>().find("/draw/") != std::string::npos ? 1 : 0;
    std::set<std::string> planted;
    for (const Json& defect : item["operations"]) planted.insert(defect["name"]);
    EXPECT_FALSE(planted.contains("A06_wrong_sensor_routing") &&
                 planted.contains("A14_unplugged_sensor_wire"));
  }
  EXPECT_GT(drawn_again, 0);
}

TEST(ForgeAnomalySet, WritesTheTreeOfMvtecWithTagsForEveryDefectivePicture) {
  const TemporaryFolder folder;
  const AnomalySetOptions options{.subject = AnomalySubject::kParts,
                                  .good_training = 1,
                                  .good_test = 1,
                                  .defective = 8,
                                  .width = 128,
                                  .threads = 2};
  const auto set = forge_anomaly_set(folder.path() / "set", options);
  ASSERT_TRUE(set) << set.error().message();
  EXPECT_EQ(set->defective, 16);
  const Json tags = *read_json_file(folder.path() / "set/tags.json");
  std::size_t tagged = 0;
  for (const char* object : {"bottle", "plug"}) {
    EXPECT_TRUE(fs::exists(folder.path() / "set" / object / "train/good/000.png"));
    for (const auto& [id, parts] : tags[object].items()) {
      ++tagged;
      EXPECT_FALSE(parts.empty());
      EXPECT_TRUE(fs::exists(folder.path() / "set" / object / "test" / (id + ".png"))) << id;
      const auto mask =
          imaging::read_bitmap(folder.path() / "set" / object / "ground_truth" / (id + "_mask.png"));
      ASSERT_TRUE(mask);
      EXPECT_GT(std::ranges::count(mask->bits, 1), 0);
    }
  }
  EXPECT_EQ(tagged, 16);
  EXPECT_TRUE(forge_anomaly_set(folder.path() / "set", options)->already_there);
  const auto replayed = replay_set(folder.path() / "set/metadata.json", folder.path() / "again");
  ASSERT_TRUE(replayed) << replayed.error().message();
}

}  // namespace
}  // namespace awry::forge
