// SPDX-License-Identifier: Apache-2.0
// From files to pixels: PNG, JPEG, TIFF, WebP and BMP, recognised by content, never by file ending.
//
// Limits are checked against the header before pixel memory is taken, so that a decompression bomb costs
// an error of kind kLimit and nothing more. What every decoder promises:
//   - the image is upright: the EXIF or TIFF orientation has been applied;
//   - 16-bit samples become 8-bit by rounding x / 257; palettes are looked up; CMYK becomes RGB;
//   - float, signed and 32-bit TIFF samples become 8-bit by one linear scale over all channels: the
//     smallest finite sample is 0, the largest 255 (a constant image is 0, NaN is 0, infinities are
//     clamped). Read scores with float_map.h instead, which keeps them as they are;
//   - of several pages or frames the first is read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "awry/base/result.h"
#include "awry/imaging/image.h"

namespace awry::imaging {

struct DecodeLimits {
  std::uint64_t max_bytes = 256ULL << 20;     // of the file
  std::uint64_t max_pixels = 100'000'000ULL;  // width x height
};

enum class ImageFormat { kPng, kJpeg, kTiff, kWebp, kBmp };
std::string_view format_name(ImageFormat format);       // "PNG"
std::string_view format_mime_type(ImageFormat format);  // "image/png"

struct ImageInfo {
  ImageFormat format = ImageFormat::kPng;
  int width = 0, height = 0;  // upright: after the orientation has been applied
  int channels = 0;  // 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA or CMYK; a palette counts as what it holds
  int bits = 8;      // of one stored sample, or of a palette index
  bool has_alpha = false;
  int orientation = 1;  // EXIF 1 to 8, as stored; 1 when absent or damaged
};

enum class Alpha {
  kComposeOverWhite,  // grey stays 1 channel, colour 3
  kKeep,              // images with alpha become RGBA
};

struct DecodeOptions {
  DecodeLimits limits;
  Alpha alpha = Alpha::kComposeOverWhite;
  bool tolerate_truncation = false;  // true: missing or damaged pixels are left as the codec gives them
};

// Reads headers only. Fails as decoding would for files that are too large or of no known format.
Result<ImageInfo> probe_image(const std::filesystem::path& path, const DecodeLimits& limits = {});
Result<ImageInfo> probe_image_bytes(std::string_view bytes, std::string_view name,
                                    const DecodeLimits& limits = {});

// Grey (1 channel), RGB (3), or with Alpha::kKeep RGBA (4). `name` stands for the input in errors.
Result<Image> read_image(const std::filesystem::path& path, const DecodeOptions& options = {});
Result<Image> decode_image(std::string_view bytes, std::string_view name, const DecodeOptions& options = {});

}  // namespace awry::imaging
