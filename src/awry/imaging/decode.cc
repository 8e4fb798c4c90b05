// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <new>
#include <string>
#include <utility>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/imaging/codec.h"
#include "awry/imaging/orientation.h"
#include "awry/imaging/sniff.h"

namespace awry::imaging {
namespace {

// Most headers, thumbnails and colour profiles included, lie within this.
constexpr std::size_t kProbeBytes = 64 << 10;

constexpr std::array<const Codec*, 5> kCodecs = {&kPngCodec, &kJpegCodec, &kTiffCodec, &kWebpCodec,
                                                 &kBmpCodec};

const Codec& codec_of(ImageFormat format) {
  return **std::ranges::find(kCodecs, format, &Codec::format);
}

Error about(Error error, std::string_view name) {
  error.what = "cannot read image";
  error.input = name;
  return error;
}

Result<const Codec*> recognise(Bytes bytes) {
  for (const Codec* codec : kCodecs) {
    if (codec->recognises(bytes)) return codec;
  }
  if (bytes.empty()) {
    return fail({.kind = ErrorKind::kInvalid, .why = "the file is empty", .hint = "Get it again."});
  }
  const Sniffed sniffed = sniff_content(bytes);
  return fail({.kind = sniffed.is_other_image ? ErrorKind::kUnsupported : ErrorKind::kInvalid,
               .why = fmt::format("it looks like {}", sniffed.looks_like),
               .hint = "awry reads PNG, JPEG, TIFF, WebP and BMP."});
}

struct Recognised {
  const Codec* codec;
  ImageInfo stored;
};

Result<Recognised> recognise_and_probe(Bytes bytes, const DecodeLimits& limits) {
  if (bytes.size() > limits.max_bytes) {
    return fail({.kind = ErrorKind::kLimit,
                 .why = fmt::format("{} is above the limit of {}", human_bytes(bytes.size()),
                                    human_bytes(limits.max_bytes)),
                 .hint = "Shrink it or raise the limit."});
  }
  AWRY_TRY_ASSIGN(const Codec* codec, recognise(bytes));
  AWRY_TRY_ASSIGN(ImageInfo stored, codec->probe(bytes));
  stored.format = codec->format;
  AWRY_TRY(check_image_size(stored.width, stored.height, limits));
  return Recognised{codec, stored};
}

ImageInfo turned_upright(ImageInfo info) {
  if (swaps_sides(info.orientation)) std::swap(info.width, info.height);
  return info;
}

// 2 channels (grey and alpha) leave this file as 1 or as 4.
Image rgba_from_grey_alpha(const Image& image) {
  Image rgba(image.width, image.height, 4);
  for (std::size_t i = 0; i < image.pixels.size() / 2; ++i) {
    std::fill_n(&rgba.pixels[i * 4], 3, image.pixels[i * 2]);
    rgba.pixels[i * 4 + 3] = image.pixels[i * 2 + 1];
  }
  return rgba;
}

Image with_alpha_resolved(Image&& image, Alpha alpha) {
  if (image.channels == 2) {
    Image rgba = rgba_from_grey_alpha(image);
    return alpha == Alpha::kKeep ? rgba : to_grey(rgba);
  }
  return image.channels == 4 && alpha == Alpha::kComposeOverWhite ? to_rgb(image) : std::move(image);
}

Result<Image> decode_unnamed(Bytes bytes, const DecodeOptions& options, Narrowing narrowing) {
  AWRY_TRY_ASSIGN(const Recognised found, recognise_and_probe(bytes, options.limits));
  AWRY_TRY_ASSIGN(Image image, found.codec->decode(bytes, found.stored,
                                                   {.limits = options.limits,
                                                    .tolerate_truncation = options.tolerate_truncation,
                                                    .narrowing = narrowing}));
  return upright(with_alpha_resolved(std::move(image), options.alpha), found.stored.orientation);
}

Result<std::string> read_start(const std::filesystem::path& path, std::size_t count) {
  std::ifstream file(path, std::ios::binary);
  std::string start(count, '\0');
  file.read(start.data(), static_cast<std::streamsize>(count));
  if (!file && !file.eof()) return fail({.kind = ErrorKind::kIo, .why = "reading failed"});
  start.resize(static_cast<std::size_t>(file.gcount()));
  return start;
}

}  // namespace

std::span<const Codec* const> all_codecs() {
  return kCodecs;
}
std::string_view format_name(ImageFormat format) {
  return codec_of(format).name;
}
std::string_view format_mime_type(ImageFormat format) {
  return codec_of(format).mime_type;
}

Result<void> check_image_size(std::int64_t width, std::int64_t height, const DecodeLimits& limits) {
  if (width <= 0 || height <= 0) {
    return damaged(fmt::format("the header claims {} x {} pixels", width, height));
  }
  constexpr std::int64_t kMaxSide = 0x7fffffff;
  if (width > kMaxSide || height > kMaxSide ||
      static_cast<std::uint64_t>(width) > limits.max_pixels / static_cast<std::uint64_t>(height)) {
    return fail({.kind = ErrorKind::kLimit,
                 .why = fmt::format("{} x {} pixels are above the limit of {}", width, height,
                                    with_thousands(static_cast<long long>(limits.max_pixels))),
                 .hint = "Shrink it or raise the pixel limit."});
  }
  return {};
}

Result<ImageInfo> probe_image_bytes(std::string_view bytes, std::string_view name,
                                    const DecodeLimits& limits) {
  auto found = recognise_and_probe(as_bytes(bytes), limits);
  if (!found) return fail(about(found.error(), name));
  return turned_upright(found->stored);
}

Result<ImageInfo> probe_image(const std::filesystem::path& path, const DecodeLimits& limits) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > kProbeBytes && size <= limits.max_bytes) {
    if (const auto start = read_start(path, kProbeBytes)) {
      const auto info = probe_image_bytes(*start, path.string(), limits);
      // Whatever the start of a file cannot answer, the whole file decides.
      if (info || info.error().kind == ErrorKind::kLimit) return info;
    }
  }
  auto bytes = read_file(path, limits.max_bytes);
  if (!bytes) return fail(bytes.error());
  return probe_image_bytes(*bytes, path.string(), limits);
}

Result<Image> decode_with(Bytes bytes, std::string_view name, const DecodeOptions& options,
                          Narrowing narrowing) {
  try {
    auto image = decode_unnamed(bytes, options, narrowing);
    if (!image) return fail(about(image.error(), name));
    return image;
  } catch (const std::bad_alloc&) {
    return fail({.kind = ErrorKind::kLimit,
                 .what = "cannot read image",
                 .input = std::string(name),
                 .why = "there is not enough memory for its pixels",
                 .hint = "Shrink it."});
  }
}

Result<Image> decode_image(std::string_view bytes, std::string_view name, const DecodeOptions& options) {
  return decode_with(as_bytes(bytes), name, options, Narrowing::kScale);
}

Result<Image> read_image(const std::filesystem::path& path, const DecodeOptions& options) {
  AWRY_TRY_ASSIGN(const std::string bytes, read_file(path, options.limits.max_bytes));
  return decode_image(bytes, path.string(), options);
}

}  // namespace awry::imaging
