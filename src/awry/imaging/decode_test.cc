// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/decode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "awry/base/files.h"
#include "awry/imaging/encode.h"
#include "awry/imaging/fixture_files.h"

namespace awry::imaging {
namespace {

using namespace fixtures;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Image decoded(const std::string& bytes, const DecodeOptions& options = {}) {
  return value_or_throw(decode_image(bytes, "fixture", options));
}
ImageInfo probed(const std::string& bytes) {
  return value_or_throw(probe_image_bytes(bytes, "fixture"));
}

TEST(DecodePng, KeepsGreyAndRgbSamples) {
  EXPECT_THAT(decoded(png_file({.width = 3, .rows = {0, 128, 255}})).pixels, ElementsAre(0, 128, 255));
  const Image rgb = decoded(png_file({.width = 2, .colour_type = 2, .rows = {1, 2, 3, 4, 5, 6}}));
  EXPECT_EQ(rgb.channels, 3);
  EXPECT_THAT(rgb.pixels, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(DecodePng, RoundsSixteenBitSamplesByDividingBy257) {
  // 128/257 = 0.498 -> 0, 129/257 = 0.502 -> 1, 65535/257 = 255, 32768/257 = 127.5 -> 128 (127.502)
  const Image image =
      decoded(png_file({.width = 4, .bits = 16, .rows = {0, 128, 0, 129, 0xff, 0xff, 0x80, 0x00}}));
  EXPECT_THAT(image.pixels, ElementsAre(0, 1, 255, 128));
}

TEST(DecodePng, SpreadsOneBitOverTheFullRange) {
  EXPECT_THAT(decoded(png_file({.width = 4, .bits = 1, .rows = {0b10100000}})).pixels,
              ElementsAre(255, 0, 255, 0));
}

TEST(DecodePng, LooksUpPalettesAndTheirTransparency) {
  const PngSpec spec{.width = 4,
                     .colour_type = 3,
                     .bits = 2,
                     .rows = {0b00011011},
                     .palette = {10, 20, 30, 40, 50, 60, 70, 80, 90, 0, 0, 0}};
  EXPECT_THAT(decoded(png_file(spec)).pixels, ElementsAre(10, 20, 30, 40, 50, 60, 70, 80, 90, 0, 0, 0));

  PngSpec transparent = spec;
  transparent.palette_alpha = {255, 255, 255, 0};
  const std::string bytes = png_file(transparent);
  EXPECT_TRUE(probed(bytes).has_alpha);
  EXPECT_THAT(decoded(bytes).pixels, ElementsAre(10, 20, 30, 40, 50, 60, 70, 80, 90, 255, 255, 255));
  EXPECT_THAT(decoded(bytes, {.alpha = Alpha::kKeep}).pixels,
              ElementsAre(10, 20, 30, 255, 40, 50, 60, 255, 70, 80, 90, 255, 0, 0, 0, 0));
}

TEST(DecodePng, ComposesAlphaOverWhiteUnlessKept) {
  // 100 at alpha 51/255 = 0.2: 0.2 * 100 + 0.8 * 255 = 224
  const std::string grey = png_file({.width = 2, .colour_type = 4, .rows = {100, 51, 7, 255}});
  const Image composed = decoded(grey);
  EXPECT_EQ(composed.channels, 1);
  EXPECT_THAT(composed.pixels, ElementsAre(224, 7));
  EXPECT_THAT(decoded(grey, {.alpha = Alpha::kKeep}).pixels, ElementsAre(100, 100, 100, 51, 7, 7, 7, 255));

  const std::string rgba = png_file({.colour_type = 6, .rows = {0, 100, 255, 51}});
  EXPECT_THAT(decoded(rgba).pixels, ElementsAre(204, 224, 255));
}

TEST(DecodePng, ReadsInterlacedFiles) {
  Samples rows(81);
  for (int i = 0; i < 81; ++i) rows[i] = static_cast<std::uint8_t>(i * 3);
  EXPECT_EQ(decoded(png_file({.width = 9, .height = 9, .rows = rows, .interlaced = true})).pixels, rows);
}

TEST(DecodeJpeg, IsWithinRoundingOfFlatColours) {
  const Image grey = decoded(jpeg_file({.components = 1, .pixels = Samples(64, 77)}));
  EXPECT_EQ(grey.channels, 1);
  EXPECT_THAT(grey.pixels, Each(77));

  Samples rgb;
  for (int i = 0; i < 64; ++i) rgb.insert(rgb.end(), {200, 100, 50});
  for (const bool progressive : {false, true}) {
    const Image image = decoded(jpeg_file({.progressive = progressive, .pixels = rgb}));
    EXPECT_EQ(image.channels, 3);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(image.at(3, 3)[c], rgb[c], 2);
  }
}

// 20% cyan, 60% magenta, no yellow, 40% black: (255-51)(255-102)/255 = 122, (255-153)(153)/255 = 61, 153.
TEST(DecodeJpeg, TurnsInksIntoRgb) {
  Samples inks, paper;
  for (int i = 0; i < 64; ++i) {
    inks.insert(inks.end(), {51, 153, 0, 102});
    paper.insert(paper.end(), {204, 102, 255, 153});
  }
  const JpegSpec cases[] = {
      {.components = 4, .adobe_marker = false, .pixels = inks},
      {.components = 4, .adobe_marker = true, .pixels = paper},  // Adobe stores the paper that shows
      {.components = 4, .ycck = true, .adobe_marker = true, .pixels = paper},
  };
  for (const JpegSpec& spec : cases) {
    const std::string bytes = jpeg_file(spec);
    EXPECT_EQ(probed(bytes).channels, 4);
    EXPECT_FALSE(probed(bytes).has_alpha);
    const Image image = decoded(bytes);
    ASSERT_EQ(image.channels, 3);
    EXPECT_NEAR(image.at(0, 0)[0], 122, 2);
    EXPECT_NEAR(image.at(0, 0)[1], 61, 2);
    EXPECT_NEAR(image.at(0, 0)[2], 153, 2);
  }
}

TEST(DecodeTiff, ReadsEveryLayoutTheSame) {
  std::string rows;
  for (int i = 0; i < 40 * 30 * 3; ++i) rows += static_cast<char>(i * 7 + i / 120);
  const TiffSpec plain{.width = 40, .height = 30, .samples = 3, .photometric = 2, .rows = rows};
  TiffSpec strips = plain, tiles = plain, planes = plain, lzw = plain, deflate = plain, swapped = plain;
  strips.rows_per_strip = 7;
  tiles.tile_side = 16;
  planes.planes_apart = true;
  planes.rows_per_strip = 11;
  lzw.compression = 5;
  deflate.compression = 8;
  swapped.big_endian = true;
  for (const TiffSpec& spec : {plain, strips, tiles, planes, lzw, deflate, swapped}) {
    const Image image = decoded(tiff_file(spec));
    EXPECT_EQ(image.channels, 3);
    EXPECT_EQ(std::string(image.pixels.begin(), image.pixels.end()), rows);
  }
}

TEST(DecodeTiff, RoundsSixteenBitSamplesInEitherByteOrder) {
  for (const bool big_endian : {false, true}) {
    const Image image = decoded(tiff_file({.width = 4,
                                           .bits = 16,
                                           .big_endian = big_endian,
                                           .rows = raw<std::uint16_t>({128, 129, 65535, 32768})}));
    EXPECT_THAT(image.pixels, ElementsAre(0, 1, 255, 128));
  }
}

TEST(DecodeTiff, HonoursWhiteIsZeroAndFewBits) {
  EXPECT_THAT(decoded(tiff_file({.width = 2, .photometric = 0, .rows = raw<std::uint8_t>({0, 200})})).pixels,
              ElementsAre(255, 55));
  EXPECT_THAT(
      decoded(tiff_file(
                  {.width = 3, .height = 2, .bits = 1, .rows = raw<std::uint8_t>({0b10100000, 0b01000000})}))
          .pixels,
      ElementsAre(255, 0, 255, 0, 255, 0));
  EXPECT_THAT(decoded(tiff_file({.width = 2, .bits = 4, .rows = raw<std::uint8_t>({0x1f})})).pixels,
              ElementsAre(17, 255));
}

TEST(DecodeTiff, LooksUpPalettes) {
  std::vector<std::uint16_t> palette(12);
  palette[1] = 65535, palette[5] = 257 * 9, palette[9] = 257 * 30;  // colour 1: 255, 9, 30
  EXPECT_THAT(decoded(tiff_file({.width = 4,
                                 .bits = 2,
                                 .photometric = 3,
                                 .rows = raw<std::uint8_t>({0b01000100}),
                                 .palette = palette}))
                  .pixels,
              ElementsAre(255, 9, 30, 0, 0, 0, 255, 9, 30, 0, 0, 0));
}

TEST(DecodeTiff, TurnsInksIntoRgb) {
  EXPECT_THAT(
      decoded(tiff_file({.samples = 4, .photometric = 5, .rows = raw<std::uint8_t>({51, 153, 0, 102})}))
          .pixels,
      ElementsAre(122, 61, 153));
}

TEST(DecodeTiff, HandlesStraightAndPremultipliedAlpha) {
  const TiffSpec straight{
      .samples = 4, .photometric = 2, .extra_sample = 2, .rows = raw<std::uint8_t>({100, 0, 200, 51})};
  EXPECT_THAT(decoded(tiff_file(straight)).pixels, ElementsAre(224, 204, 244));
  TiffSpec premultiplied = straight;
  premultiplied.extra_sample = 1;
  premultiplied.rows = raw<std::uint8_t>({20, 0, 40, 51});
  EXPECT_THAT(decoded(tiff_file(premultiplied)).pixels, ElementsAre(224, 204, 244));
  TiffSpec unspecified = straight;
  unspecified.extra_sample = 0;
  EXPECT_THAT(decoded(tiff_file(unspecified)).pixels, ElementsAre(100, 0, 200));
}

TEST(DecodeTiff, ReadsJpegInTiff) {
  std::string rows;
  for (int i = 0; i < 256; ++i) rows += "\xc8\x64\x32";  // 200 100 50
  const Image image = decoded(
      tiff_file({.width = 16, .height = 16, .samples = 3, .photometric = 6, .compression = 7, .rows = rows}));
  ASSERT_EQ(image.channels, 3);
  EXPECT_NEAR(image.at(5, 5)[0], 200, 3);
  EXPECT_NEAR(image.at(5, 5)[1], 100, 3);
  EXPECT_NEAR(image.at(5, 5)[2], 50, 3);
}

TEST(DecodeTiff, ScalesFloatsFromSmallestToLargestFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  EXPECT_THAT(
      decoded(
          tiff_file(
              {.width = 6, .bits = 32, .sample_format = 3, .rows = raw<float>({-1, 0, 1, nan, inf, -inf})}))
          .pixels,
      ElementsAre(0, 128, 255, 0, 255, 0));
  EXPECT_THAT(
      decoded(tiff_file({.width = 2, .bits = 32, .sample_format = 3, .rows = raw<float>({5, 5})})).pixels,
      ElementsAre(0, 0));
  EXPECT_THAT(
      decoded(
          tiff_file({.width = 3, .bits = 16, .sample_format = 2, .rows = raw<std::int16_t>({-100, 100, 0})}))
          .pixels,
      ElementsAre(0, 255, 128));
}

TEST(DecodeWebp, KeepsLosslessSamplesAndAlpha) {
  EXPECT_THAT(decoded(webp_file(2, 1, 3, {1, 2, 3, 4, 5, 6})).pixels, ElementsAre(1, 2, 3, 4, 5, 6));
  const std::string rgba = webp_file(1, 2, 4, {0, 100, 255, 51, 9, 8, 7, 255});
  EXPECT_THAT(decoded(rgba).pixels, ElementsAre(204, 224, 255, 9, 8, 7));
  EXPECT_THAT(decoded(rgba, {.alpha = Alpha::kKeep}).pixels, ElementsAre(0, 100, 255, 51, 9, 8, 7, 255));
}

TEST(DecodeBmp, ReadsBottomUpAndTopDownRows) {
  const std::string rows =
      raw<std::uint8_t>({3, 2, 1, 0, 6, 5, 4, 0});  // two rows of one BGR pixel, padded to 4
  EXPECT_THAT(decoded(bmp_file(1, 2, 24, "", rows)).pixels, ElementsAre(4, 5, 6, 1, 2, 3));
  EXPECT_THAT(decoded(bmp_file(1, -2, 24, "", rows)).pixels, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(DecodeBmp, ReadsPalettesOfOneFourAndEightBits) {
  const std::string palette = raw<std::uint8_t>({0, 0, 0, 0, 30, 20, 10, 0});
  for (const auto& [bits, row] :
       {std::pair{1, raw<std::uint8_t>({0b01000000, 0, 0, 0})},
        std::pair{4, raw<std::uint8_t>({0x01, 0, 0, 0})}, std::pair{8, raw<std::uint8_t>({0, 1, 0, 0})}}) {
    EXPECT_THAT(decoded(bmp_file(2, 1, bits, palette, row, 0, 2)).pixels, ElementsAre(0, 0, 0, 10, 20, 30))
        << bits;
  }
}

TEST(DecodeBmp, ReadsSixteenAndThirtyTwoBitsWithMasks) {
  const std::string five_bits = raw<std::uint16_t>({31 << 10 | 0 << 5 | 16, 0});
  EXPECT_THAT(decoded(bmp_file(1, 1, 16, "", five_bits)).pixels,
              ElementsAre(255, 0, 132));  // 16/31 * 255 = 131.6
  const std::string masks = raw<std::uint32_t>({0xf800, 0x07e0, 0x001f});
  EXPECT_THAT(decoded(bmp_file(1, 1, 16, masks, raw<std::uint16_t>({0xffe0, 0}), 3)).pixels,
              ElementsAre(255, 255, 0));
  EXPECT_THAT(decoded(bmp_file(1, 1, 32, "", raw<std::uint32_t>({0x00010203}))).pixels, ElementsAre(1, 2, 3));
}

TEST(DecodeBmp, RefusesRunLengthsClearly) {
  const auto image = decode_image(bmp_file(2, 1, 8, std::string(1024, '\0'), "xxxx", 1), "run.bmp");
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().kind, ErrorKind::kUnsupported);
  EXPECT_THAT(image.error().message(), HasSubstr("RLE"));
}

// A 3 x 2 image numbered 1..6, seen upright after each orientation; worked out by turning paper.
TEST(Orientation, IsAppliedForEveryFormatThatCarriesIt) {
  const Samples grey = {10, 20, 30, 40, 50, 60};
  const std::vector<std::vector<int>> upright_rows = {
      {10, 20, 30, 40, 50, 60}, {30, 20, 10, 60, 50, 40}, {60, 50, 40, 30, 20, 10}, {40, 50, 60, 10, 20, 30},
      {10, 40, 20, 50, 30, 60}, {40, 10, 50, 20, 60, 30}, {60, 30, 50, 20, 40, 10}, {30, 60, 20, 50, 10, 40}};
  Samples rgb;
  for (const std::uint8_t value : grey) rgb.insert(rgb.end(), {value, value, value});
  // JPEG spoils single pixels, so there each pixel is a flat 8 x 8 block.
  Samples blocks;
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 24; ++x) blocks.push_back(grey[y / 8 * 3 + x / 8]);
  }
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const bool is_turned = orientation >= 5;
    const int width = is_turned ? 2 : 3, height = is_turned ? 3 : 2;
    const std::string exif = exif_block(orientation), big_endian = exif_block(orientation, true);
    const std::vector<std::pair<std::string, int>> files = {
        {png_file({.width = 3, .height = 2, .rows = grey, .exif = exif}), 1},
        {png_file({.width = 3, .height = 2, .rows = grey, .exif = big_endian}), 1},
        {tiff_file({.width = 3, .height = 2, .orientation = orientation, .rows = raw(grey)}), 1},
        {webp_file(3, 2, 3, rgb, exif), 1},
        {jpeg_file({.width = 24, .height = 16, .components = 1, .pixels = blocks, .exif = exif}), 8},
    };
    for (const auto& [bytes, size] : files) {
      const ImageInfo info = probed(bytes);
      SCOPED_TRACE(std::string(format_name(info.format)) + " " + std::to_string(orientation));
      EXPECT_EQ(info.orientation, orientation);
      EXPECT_EQ(info.width, width * size);
      EXPECT_EQ(info.height, height * size);
      const Image image = decoded(bytes);
      ASSERT_EQ(image.width, width * size);
      ASSERT_EQ(image.height, height * size);
      for (int i = 0; i < 6; ++i) {
        EXPECT_NEAR(*image.at(i % width * size, i / width * size), upright_rows[orientation - 1][i],
                    size > 1 ? 1 : 0);
      }
    }
  }
}

TEST(ProbeImage, DescribesWithoutDecoding) {
  const ImageInfo info = probed(png_file({.width = 2, .colour_type = 6, .bits = 16, .rows = Samples(16, 1)}));
  EXPECT_EQ(info.format, ImageFormat::kPng);
  EXPECT_EQ(info.width, 2);
  EXPECT_EQ(info.channels, 4);
  EXPECT_EQ(info.bits, 16);
  EXPECT_TRUE(info.has_alpha);
  EXPECT_EQ(format_mime_type(info.format), "image/png");
}

TEST(ProbeImage, FindsHeadersBeyondTheFirstBlockOfTheFile) {
  const TemporaryFolder folder;
  // libtiff writes the directory behind the pixels; WebP keeps EXIF there.
  const auto path = folder.path() / "late";
  for (const std::string& bytes :
       {tiff_file({.width = 400, .height = 300, .rows = std::string(120'000, 'x')}),
        tiff_file({.width = 400, .height = 300, .orientation = 6, .rows = std::string(120'000, 'x')})}) {
    ASSERT_TRUE(write_file(path, bytes));
    const auto info = probe_image(path);
    ASSERT_TRUE(info) << info.error().message();
    EXPECT_EQ(info->width, info->orientation == 6 ? 300 : 400);
  }
}

TEST(ReadImage, GoesByContentAndAcceptsUnicodePaths) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "größe 图 \xF0\x9F\x94\xAC.jpg";
  ASSERT_TRUE(write_file(path, png_file({.width = 2, .rows = {1, 2}})));
  const auto image = read_image(path);
  ASSERT_TRUE(image) << image.error().message();
  EXPECT_THAT(image->pixels, ElementsAre(1, 2));
  EXPECT_EQ(probe_image(path)->format, ImageFormat::kPng);
}

TEST(ReadImage, NamesAMissingFile) {
  const auto image = read_image("/nowhere/missing.png");
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(image.error().message(), HasSubstr("missing.png"));
}

TEST(ToGrey, WeighsChannelsAsBt601) {
  Image image(2, 1, 3);
  image.pixels = {255, 0, 0, 10, 200, 30};
  // 0.299 * 255 = 76.2; 0.299 * 10 + 0.587 * 200 + 0.114 * 30 = 123.8
  EXPECT_THAT(to_grey(image).pixels, ElementsAre(76, 124));
}

}  // namespace
}  // namespace awry::imaging
