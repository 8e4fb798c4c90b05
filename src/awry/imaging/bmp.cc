// SPDX-License-Identifier: Apache-2.0
// Windows bitmaps, read by hand: 1, 4 and 8 bits with a palette, 16, 24 and 32 bits with or without masks.
#include <fmt/format.h>

#include <bit>
#include <cstdlib>

#include "awry/imaging/codec.h"

namespace awry::imaging {
namespace {

constexpr std::size_t kFileHeader = 14, kCoreHeader = 12, kInfoHeader = 40;
constexpr std::uint32_t kUncompressed = 0, kBitFields = 3, kAlphaBitFields = 6;

struct Layout {
  std::int64_t width = 0, height = 0;
  bool top_down = false;
  int bits = 0;
  std::size_t palette_offset = 0, palette_entries = 0, palette_entry_bytes = 4, pixel_offset = 0;
  std::uint32_t masks[4] = {};  // red, green, blue, alpha
  std::uint64_t row_bytes() const { return (static_cast<std::uint64_t>(width) * bits + 31) / 32 * 4; }
};

std::uint32_t u16(Bytes bytes, std::size_t at) {
  return bytes[at] | std::uint32_t{bytes[at + 1]} << 8;
}
std::uint32_t u32(Bytes bytes, std::size_t at) {
  return u16(bytes, at) | u16(bytes, at + 2) << 16;
}

bool recognises(Bytes bytes) {
  if (bytes.size() < kFileHeader + 4 || bytes[0] != 'B' || bytes[1] != 'M') return false;
  const std::uint32_t header = u32(bytes, kFileHeader);
  return header == kCoreHeader || (header >= kInfoHeader && header <= 256);
}

Result<void> read_masks(Bytes file, std::size_t header_bytes, std::uint32_t compression, Layout& layout) {
  if (compression == kUncompressed) {
    const bool is_16_bit = layout.bits == 16;
    layout.masks[0] = is_16_bit ? 0x7c00 : 0xff0000;
    layout.masks[1] = is_16_bit ? 0x03e0 : 0x00ff00;
    layout.masks[2] = is_16_bit ? 0x001f : 0x0000ff;
    return {};
  }
  const bool has_alpha_mask = compression == kAlphaBitFields || header_bytes >= 56;
  const std::size_t count = has_alpha_mask ? 4 : 3;
  if (file.size() < kFileHeader + kInfoHeader + count * 4)
    return truncated("it ends inside its colour masks");
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t mask = layout.masks[i] = u32(file, kFileHeader + kInfoHeader + i * 4);
    const std::uint32_t ones = mask == 0 ? 0 : mask >> std::countr_zero(mask);
    if ((ones & (ones + 1)) != 0 || (i < 3 && mask == 0)) return damaged("its colour masks make no sense");
  }
  return {};
}

Result<Layout> read_layout(Bytes file) {
  const std::size_t header_bytes = u32(file, kFileHeader);
  if (file.size() < kFileHeader + header_bytes) return truncated("it ends inside its header");
  Layout layout{.pixel_offset = u32(file, 10)};
  std::uint32_t compression = kUncompressed, colours = 0;
  if (header_bytes == kCoreHeader) {
    layout.width = u16(file, 18);
    layout.height = u16(file, 20);
    layout.bits = static_cast<int>(u16(file, 24));
    layout.palette_entry_bytes = 3;
  } else {
    layout.width = static_cast<std::int32_t>(u32(file, 18));
    layout.height = static_cast<std::int32_t>(u32(file, 22));
    layout.bits = static_cast<int>(u16(file, 28));
    compression = u32(file, 30);
    colours = u32(file, 46);
  }
  layout.top_down = layout.height < 0;
  layout.height = std::abs(layout.height);
  const bool has_palette = layout.bits == 1 || layout.bits == 4 || layout.bits == 8;
  const bool has_masks = layout.bits == 16 || layout.bits == 32;
  if (compression == 1 || compression == 2) return unsupported("its pixels are run-length encoded (RLE)");
  if (compression != kUncompressed &&
      !(has_masks && (compression == kBitFields || compression == kAlphaBitFields))) {
    return unsupported(fmt::format("its compression ({}) is not one awry reads", compression));
  }
  if (!has_palette && !has_masks && layout.bits != 24) {
    return unsupported(fmt::format("it has {} bits a pixel", layout.bits));
  }
  if (has_masks) AWRY_TRY(read_masks(file, header_bytes, compression, layout));
  if (has_palette) {
    layout.palette_offset = kFileHeader + header_bytes;
    layout.palette_entries = colours == 0 ? std::size_t{1} << layout.bits : colours;
    if (layout.palette_entries > 256) return damaged(fmt::format("it claims {} palette colours", colours));
    if (file.size() < layout.palette_offset + layout.palette_entries * layout.palette_entry_bytes) {
      return truncated("it ends inside its palette");
    }
  }
  return layout;
}

bool has_alpha(const Layout& layout) {
  return layout.masks[3] != 0;
}

Result<ImageInfo> probe(Bytes file) {
  AWRY_TRY_ASSIGN(const Layout layout, read_layout(file));
  if (layout.height > 0x7fffffff) return damaged("the header claims an impossible height");
  return ImageInfo{.width = static_cast<int>(layout.width),
                   .height = static_cast<int>(layout.height),
                   .channels = has_alpha(layout) ? 4 : 3,
                   .bits = layout.bits <= 8    ? layout.bits
                           : layout.bits == 16 ? 5
                                               : 8,
                   .has_alpha = has_alpha(layout)};
}

std::uint8_t masked(std::uint32_t pixel, std::uint32_t mask) {
  if (mask == 0) return 255;
  const std::uint64_t largest = mask >> std::countr_zero(mask);
  const std::uint64_t value = (pixel & mask) >> std::countr_zero(mask);
  return static_cast<std::uint8_t>((value * 255 + largest / 2) / largest);
}

Result<void> decode_row(Bytes file, const Layout& layout, Bytes row, std::uint8_t* to) {
  const int channels = has_alpha(layout) ? 4 : 3;
  for (int x = 0; x < layout.width; ++x, to += channels) {
    if (layout.bits <= 8) {
      const std::size_t bit = static_cast<std::size_t>(x) * layout.bits;
      const unsigned index =
          row[bit / 8] >> (8 - layout.bits - static_cast<int>(bit % 8)) & ((1U << layout.bits) - 1);
      if (index >= layout.palette_entries)
        return damaged(fmt::format("a pixel names palette colour {}", index));
      const std::size_t entry = layout.palette_offset + index * layout.palette_entry_bytes;
      for (int i = 0; i < 3; ++i) to[i] = file[entry + 2 - i];
    } else if (layout.bits == 24) {
      for (int i = 0; i < 3; ++i) to[i] = row[static_cast<std::size_t>(x) * 3 + 2 - i];
    } else {
      const std::uint32_t pixel = layout.bits == 16 ? u16(row, static_cast<std::size_t>(x) * 2)
                                                    : u32(row, static_cast<std::size_t>(x) * 4);
      for (int i = 0; i < channels; ++i) to[i] = masked(pixel, layout.masks[i]);
    }
  }
  return {};
}

Result<Image> decode(Bytes file, const ImageInfo& info, const CodecRequest& request) {
  AWRY_TRY_ASSIGN(const Layout layout, read_layout(file));
  const std::uint64_t row_bytes = layout.row_bytes();
  const std::uint64_t rows_there =
      layout.pixel_offset >= file.size() ? 0 : (file.size() - layout.pixel_offset) / row_bytes;
  if (rows_there < static_cast<std::uint64_t>(info.height) && !request.tolerate_truncation) {
    return truncated(fmt::format("it holds {} of {} rows", rows_there, info.height));
  }
  Image image(info.width, info.height, info.channels);
  for (int y = 0; y < info.height && static_cast<std::uint64_t>(y) < rows_there; ++y) {
    const Bytes row = file.subspan(layout.pixel_offset + row_bytes * y, row_bytes);
    AWRY_TRY(decode_row(file, layout, row, image.at(0, layout.top_down ? y : info.height - 1 - y)));
  }
  return image;
}

}  // namespace

constinit const Codec kBmpCodec = {ImageFormat::kBmp, "BMP", "image/bmp", recognises, probe, decode};

}  // namespace awry::imaging
