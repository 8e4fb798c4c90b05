// SPDX-License-Identifier: Apache-2.0
// Masks as pixels (Bitmap), as COCO run lengths (records' Mask), as COCO's compressed string, and as PNG.
//
// A Mask may come from anybody's JSON, so everything that relies on its runs first checks that they cover
// the image exactly, and says so when they do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/imaging/decode.h"
#include "awry/records/region.h"

namespace awry::imaging {

// Row-major, one byte a pixel: 0 or 1.
struct Bitmap {
  int width = 0, height = 0;
  std::vector<std::uint8_t> bits;

  Bitmap() = default;
  Bitmap(int width_, int height_, std::uint8_t fill = 0)
      : width(width_), height(height_), bits(static_cast<std::size_t>(width_) * height_, fill) {}

  std::uint8_t& at(int x, int y) { return bits[static_cast<std::size_t>(y) * width + x]; }
  std::uint8_t at(int x, int y) const { return bits[static_cast<std::size_t>(y) * width + x]; }
  bool operator==(const Bitmap&) const = default;
};

// Positive size, at most 2^31 pixels, runs that sum to width x height.
Result<void> check_mask(const Mask& mask);

Mask mask_from_bitmap(const Bitmap& bitmap);
Result<Bitmap> bitmap_from_mask(const Mask& mask, const DecodeLimits& limits = {});

// The string that COCO tools put into "counts"; `size` there is [height, width].
std::string coco_string_from_mask(const Mask& mask);
Result<Mask> mask_from_coco_string(std::string_view counts, int width, int height);

// Any image: a pixel is anomalous when any colour channel is not 0, however small (also the value 1 of a
// 16-bit mask), unless it is fully transparent.
Result<Bitmap> read_bitmap(const std::filesystem::path& path, const DecodeLimits& limits = {});
Result<Mask> read_mask(const std::filesystem::path& path, const DecodeLimits& limits = {});
// PNG with 0 and 255.
Result<void> write_mask(const std::filesystem::path& path, const Bitmap& bitmap);
Result<void> write_mask(const std::filesystem::path& path, const Mask& mask);
std::string encode_mask_png(const Bitmap& bitmap);

// Pixels whose centre lies in the box; parts outside the image are cut off.
Result<Mask> mask_from_box(const Box& box, int width, int height);

// On runs, without decoding. Masks of different sizes are an error.
struct Overlap {
  std::uint64_t intersection_area = 0, union_area = 0;
  double iou() const {  // of two empty masks: 1
    return union_area == 0 ? 1.0 : static_cast<double>(intersection_area) / static_cast<double>(union_area);
  }
};
Result<Overlap> overlap(const Mask& a, const Mask& b);
Result<Mask> intersect(const Mask& a, const Mask& b);
Result<Mask> unite(const Mask& a, const Mask& b);
std::uint64_t mask_area(const Mask& mask);                       // the sum of the runs of ones
Result<std::optional<Box>> mask_bounding_box(const Mask& mask);  // nullopt: the mask is empty

}  // namespace awry::imaging
