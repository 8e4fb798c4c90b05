// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/mask.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "awry/base/files.h"
#include "awry/base/random.h"
#include "awry/imaging/fixture_files.h"

namespace awry::imaging {
namespace {

using namespace fixtures;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Bitmap bitmap_of(int width, std::initializer_list<std::uint8_t> bits) {
  Bitmap bitmap(width, static_cast<int>(bits.size()) / width);
  bitmap.bits = bits;
  return bitmap;
}

Bitmap random_bitmap(RandomStream& random) {
  Bitmap bitmap(random.integer(1, 20), random.integer(1, 20));
  const double share = random.uniform();
  for (std::uint8_t& bit : bitmap.bits) bit = random.chance(share) ? 1 : 0;
  return bitmap;
}

TEST(MaskFromBitmap, CountsColumnsZerosFirst) {
  // 0 1 1
  // 0 1 0   by columns: 0 0, 1 1, 1 0
  EXPECT_THAT(mask_from_bitmap(bitmap_of(3, {0, 1, 1, 0, 1, 0})).runs, ElementsAre(2, 3, 1));
  EXPECT_THAT(mask_from_bitmap(bitmap_of(2, {1, 0})).runs, ElementsAre(0, 1, 1));
  EXPECT_THAT(mask_from_bitmap(bitmap_of(2, {0, 0})).runs, ElementsAre(2));
  EXPECT_THAT(mask_from_bitmap(bitmap_of(2, {1, 1})).runs, ElementsAre(0, 2));
}

TEST(Mask, SurvivesEveryRoundTripOnRandomBitmaps) {
  RandomStream random(3);
  for (int round = 0; round < 300; ++round) {
    const Bitmap bitmap = random_bitmap(random);
    const Mask mask = mask_from_bitmap(bitmap);
    ASSERT_EQ(bitmap_from_mask(mask).value(), bitmap);
    ASSERT_EQ(mask_from_coco_string(coco_string_from_mask(mask), mask.width, mask.height).value(), mask);
    ASSERT_EQ(mask_area(mask),
              static_cast<std::uint64_t>(std::count(bitmap.bits.begin(), bitmap.bits.end(), 1)));
  }
}

TEST(Mask, OverlapOnRunsAgreesWithPixels) {
  RandomStream random(4);
  for (int round = 0; round < 200; ++round) {
    const Bitmap a = random_bitmap(random);
    Bitmap b = a, both = a, either = a;
    for (std::size_t i = 0; i < a.bits.size(); ++i) {
      b.bits[i] = random.chance(0.5) ? 1 : 0;
      both.bits[i] = a.bits[i] & b.bits[i];
      either.bits[i] = a.bits[i] | b.bits[i];
    }
    const Mask first = mask_from_bitmap(a), second = mask_from_bitmap(b);
    ASSERT_EQ(intersect(first, second).value(), mask_from_bitmap(both));
    ASSERT_EQ(unite(first, second).value(), mask_from_bitmap(either));
    const Overlap shared = overlap(first, second).value();
    ASSERT_EQ(shared.intersection_area, mask_area(mask_from_bitmap(both)));
    ASSERT_EQ(shared.union_area, mask_area(mask_from_bitmap(either)));

    std::optional<Box> box;
    for (int y = 0; y < a.height; ++y) {
      for (int x = 0; x < a.width; ++x) {
        if (a.at(x, y) == 0) continue;
        const double left = box ? std::min<double>(box->x, x) : x,
                     top = box ? std::min<double>(box->y, y) : y;
        const double right = box ? std::max<double>(box->x + box->width, x + 1) : x + 1;
        const double bottom = box ? std::max<double>(box->y + box->height, y + 1) : y + 1;
        box = Box{left, top, right - left, bottom - top};
      }
    }
    ASSERT_EQ(mask_bounding_box(first).value(), box);
  }
}

TEST(CocoString, MatchesHandEncodedCounts) {
  // Groups of five bits, lowest first, +32 when more follow, +48. The first three runs stand as they are:
  // 6 = 00110 -> '6'; 1 -> '1'; 40 = 01 01000 -> 8+32, 1 -> 'X' '1'. The fourth is 4 - 1 = 3 -> '3'; the
  // fifth 13 - 40 = -27 = ...1 00101 -> 5+32, 31 -> 'U' 'O'.
  const Mask mask{.width = 8, .height = 8, .runs = {6, 1, 40, 4, 13}};
  EXPECT_EQ(coco_string_from_mask(mask), "61X13UO");
  EXPECT_EQ(mask_from_coco_string("61X13UO", 8, 8).value(), mask);
}

TEST(CocoString, RefusesWhatNoToolWrites) {
  for (const std::string_view text : {"", "61", "6\n", "X", "ooooooooooo1", "O", "61X13UO1", "~~", "\xff"}) {
    EXPECT_FALSE(mask_from_coco_string(text, 8, 8)) << text;
  }
  EXPECT_FALSE(mask_from_coco_string("61X13UO", 0, 8));
  EXPECT_FALSE(mask_from_coco_string("61X13UO", -8, -8));
}

TEST(CheckMask, RefusesRunsThatDoNotCoverTheImage) {
  EXPECT_TRUE(check_mask({2, 2, {1, 3}}));
  EXPECT_TRUE(check_mask({2, 2, {0, 0, 4}}));
  EXPECT_FALSE(check_mask({2, 2, {}}));
  EXPECT_FALSE(check_mask({2, 2, {1, 2}}));
  EXPECT_FALSE(check_mask({2, 2, {1, 4}}));
  EXPECT_FALSE(check_mask({-2, -2, {4}}));
  // Sums that would wrap around in 32 bits.
  EXPECT_FALSE(check_mask({2, 2, {0xffffffff, 5}}));
  EXPECT_EQ(check_mask({2'000'000'000, 2'000'000'000, {1}}).error().kind, ErrorKind::kLimit);
  EXPECT_THAT(check_mask({2, 2, {1, 2}}).error().message(), HasSubstr("cover 3 pixels, but 2 x 2 are 4"));
}

TEST(BitmapFromMask, HonoursThePixelLimit) {
  EXPECT_EQ(bitmap_from_mask({40'000, 40'000, {1'600'000'000}}).error().kind, ErrorKind::kLimit);
}

TEST(Overlap, OfDifferentSizesIsAnError) {
  const auto shared = overlap({2, 2, {4}}, {4, 1, {4}});
  ASSERT_FALSE(shared);
  EXPECT_THAT(shared.error().message(), HasSubstr("2 x 2"));
  EXPECT_FALSE(unite({2, 2, {4}}, {2, 2, {5}}));
}

TEST(Overlap, OfTwoEmptyMasksIsComplete) {
  EXPECT_EQ(overlap({2, 2, {4}}, {2, 2, {4}})->iou(), 1.0);
}

TEST(MaskFromBox, TakesPixelsWhoseCentreIsInside) {
  EXPECT_EQ(bitmap_from_mask(*mask_from_box({1, 0, 1, 2}, 3, 2)).value(), bitmap_of(3, {0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(mask_area(*mask_from_box({0.6, 0, 1, 1}, 3, 1)), 1U);  // 0.6 to 1.6 holds the centre 1.5 only
  EXPECT_EQ(mask_area(*mask_from_box({0.4, 0, 1.2, 1}, 3, 1)), 2U);
  EXPECT_EQ(mask_area(*mask_from_box({-100, -100, 1e9, 1e9}, 3, 2)), 6U);
  EXPECT_EQ(mask_area(*mask_from_box({5, 5, 2, 2}, 3, 2)), 0U);
  EXPECT_EQ(mask_area(*mask_from_box({2, 1, -1, -1}, 3, 2)), 0U);
  EXPECT_FALSE(mask_from_box({std::numeric_limits<double>::quiet_NaN(), 0, 1, 1}, 3, 2));
  EXPECT_FALSE(mask_from_box({0, 0, 1, 1}, 0, 2));
}

class MaskFile : public ::testing::Test {
 protected:
  std::vector<std::uint8_t> bits(const std::string& bytes) {
    value_or_throw(write_file(path_, bytes));
    return value_or_throw(read_bitmap(path_)).bits;
  }
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "mask.png";
};

TEST_F(MaskFile, CountsEveryValueThatIsNotZero) {
  EXPECT_THAT(bits(png_file({.width = 3, .rows = {0, 1, 255}})), ElementsAre(0, 1, 1));
  EXPECT_THAT(bits(png_file({.width = 2, .colour_type = 2, .rows = {0, 0, 0, 0, 0, 1}})), ElementsAre(0, 1));
  // Scaled to 8 bits the value 1 would vanish.
  EXPECT_THAT(bits(png_file({.width = 2, .bits = 16, .rows = {0, 0, 0, 1}})), ElementsAre(0, 1));
  EXPECT_THAT(bits(tiff_file({.width = 2, .bits = 16, .rows = raw<std::uint16_t>({0, 1})})),
              ElementsAre(0, 1));
  EXPECT_THAT(bits(tiff_file({.width = 3, .bits = 32, .sample_format = 3, .rows = raw<float>({0, 1, 1})})),
              ElementsAre(0, 1, 1));
  EXPECT_THAT(bits(tiff_file({.width = 2, .bits = 32, .sample_format = 3, .rows = raw<float>({1, 1})})),
              ElementsAre(1, 1));
}

TEST_F(MaskFile, TreatsTransparentPixelsAsNormal) {
  EXPECT_THAT(
      bits(png_file({.width = 3, .colour_type = 6, .rows = {0, 0, 0, 0, 255, 255, 255, 255, 255, 0, 0, 0}})),
      ElementsAre(0, 1, 0));
}

TEST_F(MaskFile, IsWrittenAsZeroAnd255) {
  const Bitmap bitmap = bitmap_of(2, {0, 1, 1, 0});
  ASSERT_TRUE(write_mask(path_, bitmap));
  EXPECT_THAT(read_image(path_)->pixels, ElementsAre(0, 255, 255, 0));
  ASSERT_TRUE(write_mask(path_, mask_from_bitmap(bitmap)));
  EXPECT_EQ(read_mask(path_).value(), mask_from_bitmap(bitmap));
}

TEST_F(MaskFile, ErrorsSpeakOfTheMask) {
  value_or_throw(write_file(path_, "no image"));
  EXPECT_THAT(read_mask(path_).error().message(), HasSubstr("cannot read mask"));
  EXPECT_THAT(read_mask(path_).error().message(), HasSubstr("mask.png"));
}

}  // namespace
}  // namespace awry::imaging
