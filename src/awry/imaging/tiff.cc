// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <utility>

#include "awry/imaging/codec.h"
#include "awry/imaging/tiff_reader.h"
#include "awry/imaging/tiff_samples.h"

namespace awry::imaging {
namespace {

bool recognises(Bytes bytes) {
  if (bytes.size() < 8) return false;
  // The byte order twice, then 42 (or 43: BigTIFF) as a number of that order.
  const auto number = [&](std::size_t low, std::size_t high) {
    return bytes[high] == 0 && (bytes[low] == 42 || bytes[low] == 43);
  };
  if (bytes[0] == 'I' && bytes[1] == 'I') return number(2, 3);
  return bytes[0] == 'M' && bytes[1] == 'M' && number(3, 2);
}

int image_channels(const TiffLayout& layout) {
  const bool is_grey =
      layout.colours == TiffColours::kWhiteIsZero || layout.colours == TiffColours::kBlackIsZero;
  return (is_grey ? 1 : 3) + (layout.alpha == TiffAlpha::kNone ? 0 : 1);
}

Result<ImageInfo> probe(Bytes file) {
  AWRY_TRY_ASSIGN(const TiffReader reader, TiffReader::open(file));
  const TiffLayout& layout = reader.layout();
  // Sides are unsigned 32-bit numbers in the file; check_image_size speaks about those that no int holds.
  AWRY_TRY(check_image_size(layout.width, layout.height, {.max_pixels = ~0ULL}));
  const bool is_cmyk = layout.colours == TiffColours::kCmyk;
  return ImageInfo{.width = static_cast<int>(layout.width),
                   .height = static_cast<int>(layout.height),
                   .channels = is_cmyk ? 4 : image_channels(layout),
                   .bits = layout.bits,
                   .has_alpha = layout.alpha != TiffAlpha::kNone,
                   .orientation = layout.orientation};
}

std::uint8_t divided_by_alpha(int value, int alpha) {
  return alpha == 0 ? 0 : static_cast<std::uint8_t>(std::min(255, (value * 255 + alpha / 2) / alpha));
}

Result<Image> decode(Bytes file, const ImageInfo& info, const CodecRequest& request) {
  AWRY_TRY_ASSIGN(TiffReader reader, TiffReader::open(file));
  const TiffLayout& layout = reader.layout();
  AWRY_TRY(reader.check_samples(request.limits));
  if (layout.colours == TiffColours::kConvertedByLibtiff) return reader.read_converted();
  std::vector<std::array<std::uint8_t, 3>> palette;
  if (layout.colours == TiffColours::kPalette) {
    AWRY_TRY_ASSIGN(palette, reader.palette());
  }
  std::vector<std::uint8_t> raw(layout.total_bytes());
  AWRY_TRY(reader.read_samples(raw, request.tolerate_truncation));
  std::vector<std::uint8_t> samples = samples_as_bytes(std::move(raw), layout, request.narrowing);

  Image image;
  image.width = info.width, image.height = info.height, image.channels = image_channels(layout);
  if (image.channels == layout.samples && layout.colours != TiffColours::kPalette &&
      layout.alpha != TiffAlpha::kPremultiplied) {
    image.pixels = std::move(samples);
    return image;
  }
  image.pixels.resize(static_cast<std::size_t>(info.width) * info.height * image.channels);
  const int colours = layout.colour_samples(), colour_channels = image.channels - (info.has_alpha ? 1 : 0);
  const std::uint8_t* from = samples.data();
  for (auto to = image.pixels.begin(); to != image.pixels.end();
       to += image.channels, from += layout.samples) {
    if (layout.colours == TiffColours::kPalette) {
      std::ranges::copy(palette[*from], to);
    } else if (layout.colours == TiffColours::kCmyk) {
      std::ranges::copy(rgb_from_cmyk(from[0], from[1], from[2], from[3]), to);
    } else {
      std::copy_n(from, colour_channels, to);
    }
    if (!info.has_alpha) continue;
    const std::uint8_t alpha = from[colours];
    to[colour_channels] = alpha;
    if (layout.alpha == TiffAlpha::kPremultiplied) {
      for (int i = 0; i < colour_channels; ++i) to[i] = divided_by_alpha(to[i], alpha);
    }
  }
  return image;
}

}  // namespace

constinit const Codec kTiffCodec = {ImageFormat::kTiff, "TIFF", "image/tiff", recognises, probe, decode};

}  // namespace awry::imaging
