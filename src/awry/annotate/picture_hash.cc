// SPDX-License-Identifier: Apache-2.0
#include "awry/annotate/picture_hash.h"

#include <algorithm>
#include <bit>

#include "awry/imaging/decode.h"
#include "awry/imaging/resize.h"

namespace awry::annotate {
namespace {

constexpr int kCells = 8;
constexpr int kLeastContrast = 4;  // grey levels between the darkest and the brightest cell

}  // namespace

Result<std::optional<PictureHash>> picture_hash(const std::filesystem::path& path) {
  AWRY_TRY_ASSIGN(const imaging::Image image, imaging::read_image(path));
  const imaging::Image small = imaging::resize_direct(imaging::to_grey(image), kCells + 1, kCells + 1).image;
  const auto [darkest, brightest] = std::ranges::minmax(small.pixels);
  if (brightest - darkest < kLeastContrast) return std::optional<PictureHash>();
  PictureHash hash{};
  for (int y = 0; y < kCells; ++y) {
    for (int x = 0; x < kCells; ++x) {
      const std::uint64_t bit = std::uint64_t{1} << (y * kCells + x);
      if (*small.at(x, y) > *small.at(x + 1, y)) hash[0] |= bit;
      if (*small.at(x, y) > *small.at(x, y + 1)) hash[1] |= bit;
    }
  }
  return std::optional<PictureHash>(hash);
}

int differing_signs(const PictureHash& a, const PictureHash& b) {
  return std::popcount(a[0] ^ b[0]) + std::popcount(a[1] ^ b[1]);
}

}  // namespace awry::annotate
