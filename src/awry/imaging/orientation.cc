// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/orientation.h"

#include <cstring>
#include <utility>

namespace awry::imaging {
namespace {

constexpr std::uint16_t kOrientationTag = 0x0112, kShortType = 3;

class ExifBlock {
 public:
  explicit ExifBlock(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
    big_endian_ = bytes.size() >= 2 && bytes[0] == 'M';
  }

  bool has(std::uint64_t offset, std::uint64_t count) const {
    return offset <= bytes_.size() && count <= bytes_.size() - offset;
  }
  std::uint32_t u16(std::uint64_t offset) const {
    const std::uint32_t a = bytes_[offset], b = bytes_[offset + 1];
    return big_endian_ ? a << 8 | b : b << 8 | a;
  }
  std::uint32_t u32(std::uint64_t offset) const {
    return big_endian_ ? u16(offset) << 16 | u16(offset + 2) : u16(offset + 2) << 16 | u16(offset);
  }

 private:
  std::span<const std::uint8_t> bytes_;
  bool big_endian_ = false;
};

// Pixels of `bytes_each` bytes, moved from where they are stored to where they belong.
template <class T>
std::vector<T> moved_upright(const std::vector<T>& stored, int width, int height, int values_each,
                             int orientation) {
  std::vector<T> result(stored.size());
  const int upright_width = swaps_sides(orientation) ? height : width;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int right = width - 1 - x, below = height - 1 - y;
      int to_x = x, to_y = y;
      switch (orientation) {
        case 2:
          to_x = right, to_y = y;
          break;
        case 3:
          to_x = right, to_y = below;
          break;
        case 4:
          to_x = x, to_y = below;
          break;
        case 5:
          to_x = y, to_y = x;
          break;
        case 6:
          to_x = below, to_y = x;
          break;
        case 7:
          to_x = below, to_y = right;
          break;
        case 8:
          to_x = y, to_y = right;
          break;
        default:
          break;
      }
      const std::size_t from = (static_cast<std::size_t>(y) * width + x) * values_each;
      const std::size_t to = (static_cast<std::size_t>(to_y) * upright_width + to_x) * values_each;
      for (int i = 0; i < values_each; ++i) result[to + i] = stored[from + i];
    }
  }
  return result;
}

bool is_already_upright(int orientation) {
  return orientation < 2 || orientation > 8;
}

}  // namespace

int exif_orientation(std::span<const std::uint8_t> exif) {
  if (exif.size() >= 6 && std::memcmp(exif.data(), "Exif\0\0", 6) == 0) exif = exif.subspan(6);
  const ExifBlock block(exif);
  if (!block.has(0, 8)) return 1;
  const bool little = exif[0] == 'I' && exif[1] == 'I', big = exif[0] == 'M' && exif[1] == 'M';
  if (!(little || big) || block.u16(2) != 42) return 1;

  const std::uint64_t directory = block.u32(4);
  if (!block.has(directory, 2)) return 1;
  const std::uint32_t entries = block.u16(directory);
  for (std::uint64_t i = 0; i < entries; ++i) {
    const std::uint64_t entry = directory + 2 + i * 12;
    if (!block.has(entry, 12)) return 1;
    if (block.u16(entry) != kOrientationTag) continue;
    if (block.u16(entry + 2) != kShortType || block.u32(entry + 4) != 1) return 1;
    const std::uint32_t value = block.u16(entry + 8);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Image upright(Image image, int orientation) {
  if (is_already_upright(orientation)) return image;
  image.pixels = moved_upright(image.pixels, image.width, image.height, image.channels, orientation);
  if (swaps_sides(orientation)) std::swap(image.width, image.height);
  return image;
}

FloatMap upright(FloatMap map, int orientation) {
  if (is_already_upright(orientation)) return map;
  map.values = moved_upright(map.values, map.width, map.height, 1, orientation);
  if (swaps_sides(orientation)) std::swap(map.width, map.height);
  return map;
}

}  // namespace awry::imaging
