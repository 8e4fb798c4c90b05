// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/map_folder.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "awry/benchmarks/tgad/support_test.h"
#include "awry/imaging/encode.h"

namespace awry::benchmarks::tgad {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

SmallClass two_images() {
  SmallClass small;
  small.add("crack", "000", {0.9F, 0.1F}, {1, 0});
  small.add("good", "000", {0.2F, 0.3F});
  return small;
}

// The error of reading every map once.
std::string first_error(const SmallClass& small) {
  const auto paired = find_map_pairs(small.truth, small.maps);
  if (!paired) return paired.error().message();
  FolderMaps source(paired->front());
  const auto scores = score::score_maps(source);
  return message_of(scores);
}

TEST(FindMapPairs, FindsMapsWithOrWithoutClassAndTest) {
  const SmallClass small = two_images();
  const fs::path parent = small.maps.parent_path();
  for (const char* place : {"a", "b/test", "c/widget", "d/widget/test"}) {
    fs::create_directories((parent / place).parent_path());
    fs::copy(small.maps, parent / place, fs::copy_options::recursive);
    const auto paired = find_map_pairs(small.truth, parent / std::string(1, place[0]));
    ASSERT_TRUE(paired) << paired.error().message();
    ASSERT_EQ(paired->front().pairs.size(), 2U);
    EXPECT_EQ(paired->front().pairs[0].map, parent / place / "crack" / "000.tiff");
  }
}

TEST(FindMapPairs, SaysWhereItLookedForMaps) {
  const SmallClass small = two_images();
  EXPECT_THAT(message_of(find_map_pairs(small.truth, small.maps / "nowhere")), HasSubstr("no such folder"));
  fs::create_directories(small.maps / "empty");
  EXPECT_THAT(message_of(find_map_pairs(small.truth, small.maps / "empty")), HasSubstr("widget/test/crack"));
  fs::create_directories(small.maps / "test" / "good");
  EXPECT_THAT(message_of(find_map_pairs(small.truth, small.maps)), HasSubstr("could hold those of class"));
}

TEST(FindMapPairs, NamesTheFirstMissingMapAndTheirNumber) {
  SmallClass small = two_images();
  fs::remove(small.maps / "good" / "000.tiff");
  EXPECT_THAT(first_error(small), HasSubstr("has no good/000.tiff"));
  fs::remove(small.maps / "crack" / "000.tiff");
  EXPECT_THAT(first_error(small), HasSubstr("2 of 2 maps are missing"));
}

TEST(FindMapPairs, RefusesTwoMapsAndNotesOrphans) {
  const SmallClass small = two_images();
  SmallClass::write_bitmap(small.maps / "good" / "123.png", {0, 1});
  const auto paired = find_map_pairs(small.truth, small.maps);
  ASSERT_TRUE(paired);
  EXPECT_THAT(paired->front().notes, ::testing::ElementsAre(HasSubstr("1 maps belong to no test image")));
  SmallClass::write_bitmap(small.maps / "good" / "000.png", {0, 1});
  EXPECT_THAT(first_error(small), HasSubstr("could be its map"));
}

TEST(FolderMaps, ReadsFloatAndPngMapsAsStored) {
  const SmallClass small = two_images();
  fs::remove(small.maps / "crack" / "000.tiff");
  imaging::Image bytes(2, 1, 1);
  bytes.pixels = {200, 7};
  SmallClass::write(small.maps / "crack" / "000.png", imaging::encode_png(bytes));
  fs::remove(small.maps / "good" / "000.tiff");
  // 2x1 pixels of 16 bits: 40,000 and 1,000.
  constexpr std::string_view kPng16 =
      "\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x02\x00\x00\x00\x01\x10"
      "\x00"
      "\x00\x00\x00\x81\xd9\xfc\x15\x00\x00\x00\x0d\x49\x44\x41\x54\x78\xda\x63\x98\xe3\xc0\xfc\x02\x00\x04"
      "\x23"
      "\x01\xc8\xa1\x07\x1b\x28\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82";
  SmallClass::write(small.maps / "good" / "000.png", {kPng16.data(), 70});
  const auto paired = find_map_pairs(small.truth, small.maps);
  ASSERT_TRUE(paired) << paired.error().message();
  FolderMaps source(paired->front());
  const auto crack = source.read(0);
  ASSERT_TRUE(crack) << crack.error().message();
  EXPECT_THAT(crack->scores, ::testing::ElementsAre(200, 7));
  EXPECT_THAT(crack->mask, ::testing::ElementsAre(1, 0));
  EXPECT_EQ(crack->anomalous, true);
  const auto good = source.read(1);
  ASSERT_TRUE(good) << good.error().message();
  EXPECT_THAT(good->scores, ::testing::ElementsAre(40'000, 1'000));
  EXPECT_TRUE(good->mask.empty());
  EXPECT_EQ(good->anomalous, false);
}

TEST(FolderMaps, NamesMapAndMaskOfDifferentSizes) {
  SmallClass small = two_images();
  SmallClass::write_bitmap(small.truth / "ground_truth" / "crack" / "000_mask.png", {1, 0, 0});
  EXPECT_THAT(first_error(small), HasSubstr("the map is 2x1, but its mask"));
  EXPECT_THAT(first_error(small), HasSubstr("000_mask.png' is 3x1"));
}

TEST(FolderMaps, NamesAGoodMapOfAnotherSizeThanItsImage) {
  SmallClass small = two_images();
  SmallClass::write_map(small.maps / "good" / "000.tiff", {.width = 1, .height = 1, .values = {1}});
  EXPECT_THAT(first_error(small), HasSubstr("the map is 1x1, but its image"));
  // Masks and maps were both made smaller than the images: nothing to compare with.
  SmallClass::write_bitmap(small.truth / "test" / "crack" / "000.png", {0, 0, 0, 0});
  EXPECT_EQ(first_error(small), "no error");
}

TEST(FolderMaps, RefusesHostileFilesByName) {
  SmallClass small = two_images();
  const fs::path map = small.maps / "good" / "000.tiff";
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    SmallClass::write_map(map, {.width = 2, .height = 1, .values = {0, bad}});
    EXPECT_THAT(first_error(small), HasSubstr("good/000.tiff': pixel x=1, y=0 is"));
  }
  SmallClass::write_map(map, {.width = 2, .height = 1, .values = {0, 1}});
  const std::string whole = read_file(map).value();
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, whole.size() / 2, whole.size() - 1}) {
    SmallClass::write(map, whole.substr(0, length));
    EXPECT_THAT(first_error(small), HasSubstr("good/000.tiff")) << length;
  }
  SmallClass::write(map, "not a picture at all");
  EXPECT_THAT(first_error(small), HasSubstr("good/000.tiff"));
  imaging::Image colour(2, 1, 3);
  SmallClass::write(map, imaging::encode_png(colour));
  EXPECT_THAT(first_error(small), HasSubstr("a map has one"));
  SmallClass::write_map(map, {.width = 2, .height = 1, .values = {0, 1}});
  SmallClass::write(small.truth / "ground_truth" / "crack" / "000_mask.png", "broken");
  EXPECT_THAT(first_error(small), HasSubstr("000_mask.png"));
}

}  // namespace
}  // namespace awry::benchmarks::tgad
