// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "awry/base/base64.h"
#include "awry/base/files.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/encode.h"
#include "awry/imaging/resize.h"

namespace awry::inspectors::vlm {
namespace {

using imaging::ImageFormat;

constexpr int kJpegQuality = 95;
constexpr double kStep = 0.9;

bool endpoints_take(ImageFormat format) {
  return format == ImageFormat::kPng || format == ImageFormat::kJpeg || format == ImageFormat::kWebp;
}

bool size_fits(int width, int height, const PictureLimits& limits) {
  return (limits.max_long_edge == 0 || std::max(width, height) <= limits.max_long_edge) &&
         (limits.max_pixels == 0 || static_cast<std::int64_t>(width) * height <= limits.max_pixels);
}

bool bytes_fit(std::size_t bytes, const PictureLimits& limits) {
  return limits.max_bytes == 0 || bytes <= limits.max_bytes;
}

Result<std::string> encode(const imaging::Image& image, bool lossy) {
  if (lossy) return imaging::encode_jpeg(image, kJpegQuality);
  return imaging::encode_png(image);
}

Result<Picture> reencode(const imaging::Image& original, std::string_view name, bool lossy,
                         const PictureLimits& limits) {
  imaging::TwoStageLimits two_stage{
      .max_long_edge = limits.max_long_edge > 0 ? limits.max_long_edge : std::numeric_limits<int>::max(),
      .max_pixels = limits.max_pixels > 0 ? limits.max_pixels : std::numeric_limits<std::int64_t>::max(),
      .step = kStep};
  for (;;) {
    const imaging::Resized resized = imaging::resize_two_stage(original, two_stage);
    const imaging::Image& image = resized.image;
    AWRY_TRY_ASSIGN(std::string bytes, encode(image, lossy));
    if (bytes_fit(bytes.size(), limits)) {
      return Picture{.bytes = std::move(bytes),
                     .mime_type = lossy ? "image/jpeg" : "image/png",
                     .width = image.width,
                     .height = image.height,
                     .reencoded = true,
                     .sent_from_original = resized.image_from_original};
    }
    if (image.width == 1 && image.height == 1) {
      return fail({.kind = ErrorKind::kLimit,
                   .what = "cannot shrink image",
                   .input = std::string(name),
                   .why = fmt::format("even one pixel takes more than {} bytes", limits.max_bytes),
                   .hint = "Raise the limit on image bytes."});
    }
    // From the original each time: a budget just below what was tried takes the next step down.
    two_stage.max_pixels = static_cast<std::int64_t>(image.width) * image.height - 1;
  }
}

}  // namespace

Result<Picture> load_picture_bytes(std::string bytes, std::string_view name, const PictureLimits& limits) {
  AWRY_TRY_ASSIGN(const imaging::ImageInfo info, imaging::probe_image_bytes(bytes, name));
  if (endpoints_take(info.format) && size_fits(info.width, info.height, limits) &&
      bytes_fit(bytes.size(), limits)) {
    return Picture{.bytes = std::move(bytes),
                   .mime_type = std::string(imaging::format_mime_type(info.format)),
                   .width = info.width,
                   .height = info.height};
  }
  AWRY_TRY_ASSIGN(const imaging::Image image, imaging::decode_image(bytes, name));
  const bool lossy = info.format == ImageFormat::kJpeg || info.format == ImageFormat::kWebp;
  return reencode(image, name, lossy, limits);
}

Result<Picture> load_picture(const std::filesystem::path& path, const PictureLimits& limits) {
  AWRY_TRY_ASSIGN(std::string bytes, read_file(path, imaging::DecodeLimits{}.max_bytes));
  return load_picture_bytes(std::move(bytes), path.string(), limits);
}

void append_data_url(std::string& out, const Picture& picture) {
  out += "data:" + picture.mime_type + ";base64,";
  append_base64(out, picture.bytes);
}

}  // namespace awry::inspectors::vlm
