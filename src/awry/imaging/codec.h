// SPDX-License-Identifier: Apache-2.0
// What one image format offers to decode.cc. Internal to imaging: others include decode.h.
//
// Codecs report errors with kind, why and hint; decode.cc adds what was attempted and on which input.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/imaging/decode.h"

namespace awry::imaging {

using Bytes = std::span<const std::uint8_t>;

inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// How wide samples become 8 bits.
enum class Narrowing {
  kScale,     // as decode.h promises
  kPresence,  // not zero stays not zero: what a mask means
};

struct CodecRequest {
  DecodeLimits limits;
  bool tolerate_truncation = false;
  Narrowing narrowing = Narrowing::kScale;
};

struct Codec {
  ImageFormat format;
  std::string_view name, mime_type;
  bool (*recognises)(Bytes bytes);
  // Size as stored, before the orientation; no pixel memory. May be given only the start of the file: then
  // an error makes the caller try again with all of it.
  Result<ImageInfo> (*probe)(Bytes bytes);
  // As stored, before the orientation. Besides 1, 3 and 4 channels an image of 2 is grey and alpha.
  // `info` is what probe said and has passed the limits.
  Result<Image> (*decode)(Bytes bytes, const ImageInfo& info, const CodecRequest& request);
};

extern const Codec kPngCodec, kJpegCodec, kTiffCodec, kWebpCodec, kBmpCodec;
std::span<const Codec* const> all_codecs();

// Everything decode_image does, with the choice of narrowing.
Result<Image> decode_with(Bytes bytes, std::string_view name, const DecodeOptions& options,
                          Narrowing narrowing);

// Samples of a 16-bit PNG as stored, interleaved, alpha included.
Result<std::vector<std::uint16_t>> png_samples_16(Bytes bytes, const ImageInfo& info,
                                                  bool tolerate_truncation);

// Fails unless the size is positive and within the pixel limit.
Result<void> check_image_size(std::int64_t width, std::int64_t height, const DecodeLimits& limits);

inline tl::unexpected<Error> damaged(std::string why) {
  return fail(
      {.kind = ErrorKind::kInvalid, .why = std::move(why), .hint = "The file is damaged; get it again."});
}
inline tl::unexpected<Error> truncated(std::string why) {
  return fail({.kind = ErrorKind::kInvalid,
               .why = "the file is truncated: " + std::move(why),
               .hint = "Download or export it again."});
}
inline tl::unexpected<Error> unsupported(std::string why) {
  return fail({.kind = ErrorKind::kUnsupported, .why = std::move(why), .hint = "Convert it to PNG."});
}

inline std::uint8_t narrow_16(std::uint16_t sample, Narrowing narrowing) {
  if (narrowing == Narrowing::kPresence) return sample != 0 ? 255 : 0;
  return static_cast<std::uint8_t>((sample + 128) / 257);
}

// Ink of 0 to 255 over white paper.
inline std::array<std::uint8_t, 3> rgb_from_cmyk(int cyan, int magenta, int yellow, int black) {
  const auto channel = [&](int ink) {
    return static_cast<std::uint8_t>(((255 - ink) * (255 - black) + 127) / 255);
  };
  return {channel(cyan), channel(magenta), channel(yellow)};
}

}  // namespace awry::imaging
