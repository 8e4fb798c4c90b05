// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/float_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "awry/base/files.h"
#include "awry/imaging/fixture_files.h"

namespace awry::imaging {
namespace {

using namespace fixtures;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FloatMapTest : public ::testing::Test {
 protected:
  Result<FloatMap> read(const std::string& bytes, const DecodeLimits& limits = {}) {
    value_or_throw(write_file(path_, bytes));
    return read_float_map(path_, limits);
  }
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "map.tiff";
};

TEST_F(FloatMapTest, SurvivesWritingAndReadingBitForBit) {
  FloatMap map{3,
               2,
               {0.1F, -1e30F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                std::numeric_limits<float>::denorm_min(), 0}};
  ASSERT_TRUE(write_float_tiff(path_, map));
  const auto read_back = read_float_map(path_);
  ASSERT_TRUE(read_back) << read_back.error().message();
  EXPECT_EQ(read_back->width, 3);
  EXPECT_EQ(read_back->height, 2);
  EXPECT_EQ(raw(read_back->values), raw(map.values));
}

TEST_F(FloatMapTest, ReadsEveryNumberTypeAsStored) {
  EXPECT_THAT(read(tiff_file({.width = 2, .bits = 64, .sample_format = 3, .rows = raw<double>({0.5, 1e300})}))
                  ->values,
              ElementsAre(0.5F, std::numeric_limits<float>::infinity()));
  // Halves: 1.0 = 0x3c00, -2.0 = 0xc000, the smallest, 2^-24 = 0x0001
  EXPECT_THAT(
      read(tiff_file(
               {.width = 3, .bits = 16, .sample_format = 3, .rows = raw<std::uint16_t>({0x3c00, 0xc000, 1})}))
          ->values,
      ElementsAre(1.0F, -2.0F, std::ldexp(1.0F, -24)));
  EXPECT_THAT(read(tiff_file({.width = 2, .bits = 16, .rows = raw<std::uint16_t>({1, 65535})}))->values,
              ElementsAre(1.0F, 65535.0F));
  EXPECT_THAT(read(tiff_file({.width = 2, .rows = raw<std::uint8_t>({0, 200})}))->values,
              ElementsAre(0.0F, 200.0F));
  EXPECT_THAT(
      read(tiff_file({.width = 1, .bits = 16, .sample_format = 2, .rows = raw<std::int16_t>({-7})}))->values,
      ElementsAre(-7.0F));
  EXPECT_THAT(read(png_file({.width = 2, .bits = 16, .rows = {0, 1, 0xff, 0xfe}}))->values,
              ElementsAre(1.0F, 65534.0F));
  EXPECT_THAT(read(png_file({.width = 2, .rows = {3, 250}}))->values, ElementsAre(3.0F, 250.0F));
}

TEST_F(FloatMapTest, ReadsStripsTilesAndCompression) {
  std::vector<float> values(40 * 30);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 7;
  const TiffSpec plain{.width = 40, .height = 30, .bits = 32, .sample_format = 3, .rows = raw(values)};
  TiffSpec strips = plain, tiles = plain, deflate = plain, swapped = plain;
  strips.rows_per_strip = 7;
  tiles.tile_side = 16;
  deflate.compression = 8;
  swapped.big_endian = true;
  for (const TiffSpec& spec : {plain, strips, tiles, deflate, swapped})
    EXPECT_EQ(read(tiff_file(spec))->values, values);
}

TEST_F(FloatMapTest, RefusesColoursAndTooManyPixels) {
  const auto colours = read(tiff_file({.width = 1, .samples = 3, .photometric = 2, .rows = "abc"}));
  ASSERT_FALSE(colours);
  EXPECT_THAT(colours.error().message(), HasSubstr("3 channels"));
  EXPECT_FALSE(read(png_file({.colour_type = 2, .rows = {1, 2, 3}})));
  const auto large =
      read(tiff_file({.width = 20, .height = 20, .rows = std::string(400, 'x')}), {.max_pixels = 399});
  EXPECT_EQ(large.error().kind, ErrorKind::kLimit);
}

TEST_F(FloatMapTest, ATruncatedMapIsAnError) {
  ASSERT_TRUE(write_float_tiff(path_, {10, 10, std::vector<float>(100, 1.5F)}));
  const std::string whole = *read_file(path_);
  const auto map = read(whole.substr(0, whole.size() - 10));
  ASSERT_FALSE(map);
  EXPECT_EQ(map.error().kind, ErrorKind::kInvalid);
  EXPECT_THAT(map.error().message(), HasSubstr("truncated"));
  EXPECT_THAT(map.error().message(), HasSubstr("map.tiff"));
}

TEST_F(FloatMapTest, RefusesSeveralPagesBecauseAnyCouldBeTheMap) {
  ASSERT_TRUE(write_float_tiff(path_, {2, 2, {1, 2, 3, 4}}));
  std::string file = *read_file(path_);
  // A second directory like the first, over the same pixels; where the first one says what follows comes its
  // place.
  constexpr std::size_t kFirst = 8, kDirectory = 2 + 11 * 12 + 4, kNext = kFirst + kDirectory - 4;
  const auto place = static_cast<std::uint32_t>(file.size());
  const std::string directory = file.substr(kFirst, kDirectory);
  std::memcpy(file.data() + kNext, &place, sizeof place);
  const auto map = read(file + directory);
  ASSERT_FALSE(map);
  EXPECT_THAT(map.error().message(), HasSubstr("several pages"));
}

TEST_F(FloatMapTest, RefusesToWriteAMapThatContradictsItself) {
  EXPECT_FALSE(write_float_tiff(path_, {3, 3, {1, 2}}));
  EXPECT_FALSE(write_float_tiff(path_, {}));
}

}  // namespace
}  // namespace awry::imaging
