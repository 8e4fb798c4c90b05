// SPDX-License-Identifier: Apache-2.0
// Files that lie: none may crash the reader, take more memory than allowed, or pass as a whole image.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>

#include "awry/base/files.h"
#include "awry/base/random.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/encode.h"
#include "awry/imaging/fixture_files.h"
#include "awry/imaging/float_map.h"
#include "awry/imaging/mask.h"
#include "awry/imaging/orientation.h"

namespace awry::imaging {
namespace {

using namespace fixtures;
using ::testing::HasSubstr;

// Noise, so that every part of the file carries pixels.
Samples noise(std::size_t count) {
  RandomStream random(7);
  Samples samples(count);
  for (std::uint8_t& sample : samples) sample = static_cast<std::uint8_t>(random.below(256));
  return samples;
}

std::vector<std::pair<std::string, std::string>> valid_files() {
  const Samples rgb = noise(32 * 24 * 3), grey = noise(32 * 24);
  const std::string exif = exif_block(6);
  std::vector<std::uint16_t> palette(768);
  for (std::size_t i = 0; i < palette.size(); ++i) palette[i] = static_cast<std::uint16_t>(i * 85);
  return {
      {"png", png_file({.width = 32, .height = 24, .colour_type = 2, .rows = rgb, .exif = exif})},
      {"png palette", png_file({.width = 32,
                                .height = 24,
                                .colour_type = 3,
                                .rows = grey,
                                .palette = noise(768),
                                .palette_alpha = noise(256),
                                .interlaced = true})},
      {"jpeg", jpeg_file({.width = 32, .height = 24, .pixels = rgb, .exif = exif})},
      {"jpeg progressive", jpeg_file({.width = 32, .height = 24, .progressive = true, .pixels = rgb})},
      {"jpeg cmyk", jpeg_file({.width = 24, .height = 24, .components = 4, .pixels = rgb})},
      {"tiff", tiff_file({.width = 32,
                          .height = 24,
                          .samples = 3,
                          .photometric = 2,
                          .rows_per_strip = 5,
                          .rows = raw(rgb)})},
      {"tiff lzw", tiff_file({.width = 32,
                              .height = 24,
                              .photometric = 3,
                              .compression = 5,
                              .rows = raw(grey),
                              .palette = palette})},
      {"tiff tiles", tiff_file({.width = 32,
                                .height = 24,
                                .samples = 3,
                                .photometric = 2,
                                .compression = 8,
                                .tile_side = 16,
                                .rows = raw(rgb)})},
      {"tiff float",
       tiff_file({.width = 32, .height = 6, .bits = 32, .sample_format = 3, .rows = raw(grey)})},
      {"tiff jpeg",
       tiff_file(
           {.width = 32, .height = 24, .samples = 3, .photometric = 6, .compression = 7, .rows = raw(rgb)})},
      {"webp", webp_file(32, 24, 3, rgb)},
      {"webp exif", webp_file(32, 18, 4, noise(32 * 18 * 4), exif)},
      {"webp lossy", encode_webp(
                         [&] {
                           Image image(32, 24, 3);
                           image.pixels = rgb;
                           return image;
                         }(),
                         90)
                         .value()},
      {"bmp", bmp_file(32, 24, 24, "", raw(rgb))},
      {"bmp palette", bmp_file(32, 24, 8, raw(noise(1024)), raw(grey))},
  };
}

std::uint32_t crc32_of(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc ^= static_cast<std::uint8_t>(byte);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0);
  }
  return ~crc;
}

std::string big_endian_32(std::uint32_t number) {
  return {static_cast<char>(number >> 24), static_cast<char>(number >> 16), static_cast<char>(number >> 8),
          static_cast<char>(number)};
}

// The file with other sizes in its header and a right checksum.
std::string png_with_claimed_size(std::string file, std::uint32_t width, std::uint32_t height) {
  file.replace(16, 8, big_endian_32(width) + big_endian_32(height));
  file.replace(29, 4, big_endian_32(crc32_of(std::string_view(file).substr(12, 17))));
  return file;
}

long peak_memory_kb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(Bombs, AreRefusedFromTheHeader) {
  const std::string small = png_file({.width = 1, .rows = {0}});
  const long before = peak_memory_kb();
  for (const auto& [width, height] : {std::pair{60'000U, 60'000U}, {2'000'000'000U, 2'000'000'000U}}) {
    const std::string bomb = png_with_claimed_size(small, width, height);
    for (const auto kind :
         {decode_image(bomb, "bomb.png").error().kind, probe_image_bytes(bomb, "bomb.png").error().kind}) {
      EXPECT_EQ(kind, ErrorKind::kLimit);
    }
  }
  std::string tiff = tiff_file({.width = 1, .rows = "x"});
  for (std::size_t i = 0; i + 12 <= tiff.size(); ++i) {  // the two size tags: SHORT 1 becomes LONG 90,000
    for (const char tag : {'\x00', '\x01'}) {
      if (tiff.compare(i, 4, std::string{tag, '\x01', '\x03', '\x00'}) == 0) {
        tiff[i + 2] = 4;
        const std::uint32_t side = 90'000;
        std::memcpy(&tiff[i + 8], &side, 4);
      }
    }
  }
  const auto image = decode_image(tiff, "bomb.tif");
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().kind, ErrorKind::kLimit);
  EXPECT_THAT(image.error().message(), HasSubstr("90000 x 90000"));

  std::string bmp = bmp_file(1, 1, 24, "", "abcd");
  const std::int32_t side = 2'000'000;
  std::memcpy(&bmp[18], &side, 4);
  std::memcpy(&bmp[22], &side, 4);
  EXPECT_EQ(decode_image(bmp, "bomb.bmp").error().kind, ErrorKind::kLimit);
  EXPECT_LT(peak_memory_kb() - before, 50'000);
}

TEST(Bombs, SmallFilesCannotClaimManyPixelsWithinTheLimit) {
  const long before = peak_memory_kb();
  const auto image =
      decode_image(png_with_claimed_size(png_file({.width = 1, .rows = {0}}), 9'000, 9'000), "claims.png");
  ASSERT_FALSE(image);
  EXPECT_THAT(image.error().message(), HasSubstr("cannot hold"));
  EXPECT_LT(peak_memory_kb() - before, 50'000);
}

TEST(Bombs, DataBeyondTheLastPixelIsNotInflated) {
  // 4,000 x 4,000 zeros squeezed into IDAT, behind a header that says 1 x 1.
  const std::string zeros = png_file({.width = 4'000, .height = 4'000, .rows = Samples(16'000'000)});
  const long before = peak_memory_kb();
  const auto image = decode_image(png_with_claimed_size(zeros, 1, 1), "inflate.png");
  if (image) {
    EXPECT_EQ(image->pixels.size(), 1U);
  }
  EXPECT_LT(peak_memory_kb() - before, 20'000);
}

TEST(Bombs, HugeTilesAroundASmallImageAreRefused) {
  std::string tiff = tiff_file({.width = 20, .height = 20, .tile_side = 16, .rows = std::string(400, 'x')});
  int found = 0;
  for (std::size_t i = 0; i + 12 <= tiff.size(); ++i) {
    for (const char tag : {'\x42', '\x43'}) {  // tile width and length
      if (tiff.compare(i, 4, std::string{tag, '\x01', '\x03', '\x00'}) == 0 ||
          tiff.compare(i, 4, std::string{tag, '\x01', '\x04', '\x00'}) == 0) {
        tiff[i + 2] = 4;
        const std::uint32_t side = 1 << 20;
        std::memcpy(&tiff[i + 8], &side, 4);
        ++found;
      }
    }
  }
  ASSERT_EQ(found, 2);
  EXPECT_FALSE(decode_image(tiff, "tiles.tif"));
}

TEST(Limits, BytesAreCheckedBeforeReading) {
  const TemporaryFolder folder;
  ASSERT_TRUE(
      write_file(folder.path() / "a.png", png_file({.width = 32, .height = 32, .rows = noise(1024)})));
  const auto image = read_image(folder.path() / "a.png", {.limits = {.max_bytes = 100}});
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().kind, ErrorKind::kLimit);
  EXPECT_EQ(probe_image(folder.path() / "a.png", {.max_bytes = 100}).error().kind, ErrorKind::kLimit);
}

TEST(ZeroSizes, AreDamage) {
  const std::string png = png_file({.width = 1, .rows = {0}});
  EXPECT_EQ(decode_image(png_with_claimed_size(png, 0, 5), "zero.png").error().kind, ErrorKind::kInvalid);
  EXPECT_EQ(decode_image(bmp_file(0, 1, 24, "", "abcd"), "zero.bmp").error().kind, ErrorKind::kInvalid);
  EXPECT_EQ(decode_image(bmp_file(-4, 1, 24, "", "abcd"), "negative.bmp").error().kind, ErrorKind::kInvalid);
}

TEST(Truncated, FilesAreErrorsAtEverySixteenth) {
  for (const auto& [name, bytes] : valid_files()) {
    ASSERT_TRUE(decode_image(bytes, name)) << decode_image(bytes, name).error().message();
    for (std::size_t part = 0; part < 16; ++part) {
      const std::string cut = bytes.substr(0, bytes.size() * part / 16);
      const auto image = decode_image(cut, name);
      ASSERT_FALSE(image) << name << " cut to " << part << "/16";
      EXPECT_EQ(image.error().kind, ErrorKind::kInvalid) << image.error().message();
      EXPECT_THAT(image.error().message(), HasSubstr(name));
      EXPECT_FALSE(image.error().why.empty());
      // Whoever asks for what is left gets an image of the right size or an error, never a crash.
      (void)decode_image(cut, name, {.tolerate_truncation = true});
    }
  }
}

TEST(Truncated, CommonFormatsSayThatTheyAre) {
  const auto files = valid_files();
  for (const auto& [name, bytes] : files) {
    if (name == "png" || name == "jpeg" || name == "bmp" || name == "tiff" || name == "webp") {
      const auto image = decode_image(bytes.substr(0, bytes.size() / 2), name);
      EXPECT_THAT(image.error().message(), HasSubstr("truncated")) << name;
    }
  }
}

TEST(Truncated, PixelsThatAreThereCanBeAskedFor) {
  const Samples rows = noise(64 * 64);
  const std::string png = png_file({.width = 64, .height = 64, .rows = rows});
  const auto image =
      decode_image(png.substr(0, png.size() * 3 / 4), "cut.png", {.tolerate_truncation = true});
  ASSERT_TRUE(image);
  EXPECT_TRUE(std::equal(rows.begin(), rows.begin() + 64 * 32, image->pixels.begin()));
}

TEST(Corrupted, FilesNeverCrash) {
  const DecodeLimits limits{.max_pixels = 1 << 18};
  RandomStream random(11);
  const TemporaryFolder folder;
  for (const auto& [name, bytes] : valid_files()) {
    // Every byte of the header, then random places.
    for (int round = 0; round < 500; ++round) {
      std::string flipped = bytes;
      const std::size_t flips = 1 + random.below(3);
      for (std::size_t i = 0; i < flips; ++i) {
        const bool in_order = i == 0 && round < 250 && static_cast<std::size_t>(round) < bytes.size();
        const bool at_end = i == 0 && round >= 250 && round < 400;  // where TIFF keeps its directory
        const std::size_t place =
            in_order ? round
            : at_end ? bytes.size() - 1 - std::min<std::size_t>(round - 250, bytes.size() - 1)
                     : random.below(bytes.size());
        flipped[place] = static_cast<char>(random.below(4) == 0 ? 0xff : random.below(256));
      }
      for (const bool tolerate : {false, true}) {
        const auto image = decode_image(flipped, name, {.limits = limits, .tolerate_truncation = tolerate});
        if (image) {
          ASSERT_EQ(image->pixels.size(),
                    static_cast<std::size_t>(image->width) * image->height * image->channels);
          ASSERT_TRUE(image->channels == 1 || image->channels == 3);
        } else {
          ASSERT_FALSE(image.error().why.empty());
        }
      }
    }
  }
}

TEST(Corrupted, MapsAndMasksNeverCrash) {
  const DecodeLimits limits{.max_pixels = 1 << 18};
  RandomStream random(12);
  const TemporaryFolder folder;
  const auto path = folder.path() / "map.tif";
  for (const auto& [name, bytes] : valid_files()) {
    for (int round = 0; round < 15; ++round) {
      std::string flipped = bytes;
      for (int i = 0; i < 2; ++i) flipped[random.below(bytes.size())] = static_cast<char>(random.below(256));
      if (round > 8) flipped.back() = flipped[flipped.size() - 1 - random.below(100)] = '\x7f';
      std::FILE* file = std::fopen(path.c_str(), "wb");
      std::fwrite(flipped.data(), 1, flipped.size(), file);
      std::fclose(file);
      (void)read_float_map(path, limits);
      (void)read_bitmap(path, limits);
      (void)probe_image(path, limits);
    }
  }
}

TEST(Corrupted, RandomBytesBehindAValidStartNeverCrash) {
  RandomStream random(13);
  for (const auto& [name, bytes] : valid_files()) {
    for (int round = 0; round < 40; ++round) {
      std::string garbage = bytes.substr(0, std::min<std::size_t>(bytes.size(), 4 + random.below(60)));
      for (int i = 0; i < 300; ++i) garbage += static_cast<char>(random.below(256));
      (void)decode_image(garbage, name, {.limits = {.max_pixels = 1 << 18}});
    }
  }
}

TEST(NotImages, AreDescribedByWhatTheyLookLike) {
  const auto message = [](std::string_view bytes) {
    return decode_image(bytes, "figure.png").error().message();
  };
  EXPECT_THAT(message("Dear reviewer, please find attached\n"), HasSubstr("plain text"));
  EXPECT_THAT(message("Grüße, 图"), HasSubstr("plain text"));
  EXPECT_THAT(message("<!DOCTYPE html><html>404"), HasSubstr("HTML"));
  EXPECT_THAT(message("{\"error\": 403}"), HasSubstr("JSON"));
  EXPECT_THAT(message("%PDF-1.7"), HasSubstr("PDF"));
  EXPECT_THAT(message(""), HasSubstr("empty"));
  EXPECT_THAT(message(std::string_view("\x01\x02\x80\xff\0", 5)), HasSubstr("01 02 80 ff 00"));
  EXPECT_EQ(decode_image("GIF89a....", "a.gif").error().kind, ErrorKind::kUnsupported);
  EXPECT_EQ(decode_image("text", "a.png").error().kind, ErrorKind::kInvalid);
}

TEST(NotImages, AFolderIsAnError) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read_image(folder.path()));
  EXPECT_FALSE(probe_image(folder.path()));
  EXPECT_FALSE(read_float_map(folder.path()));
}

TEST(ExifOrientation, IgnoresDamage) {
  const auto orientation = [](const std::string& block) {
    return exif_orientation({reinterpret_cast<const std::uint8_t*>(block.data()), block.size()});
  };
  const std::string valid = exif_block(6);
  ASSERT_EQ(orientation(valid), 6);
  EXPECT_EQ(orientation(std::string("Exif\0\0", 6) + valid), 6);
  for (std::size_t size = 0; size < 20; ++size) EXPECT_EQ(orientation(valid.substr(0, size)), 1);
  EXPECT_EQ(orientation(exif_block(0)), 1);
  EXPECT_EQ(orientation(exif_block(9)), 1);
  std::string far_directory = valid;
  far_directory.replace(4, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(orientation(far_directory), 1);
  std::string endless = valid;
  endless.replace(8, 2, "\xff\xff");
  endless[10] = 0;  // so that the tag is not found at once
  EXPECT_EQ(orientation(endless), 1);
}

}  // namespace
}  // namespace awry::imaging
