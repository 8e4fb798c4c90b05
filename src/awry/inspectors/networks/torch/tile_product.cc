// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/torch/tile_product.h"

#include <ATen/Parallel.h>
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

// The rest of the module is built for any x86-64; these functions are only entered where is_possible.
#define AWRY_TILES __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16,amx-tile,amx-bf16")))

namespace awry::inspectors::networks {
namespace {

constexpr std::int64_t kSide = 32;          // of a block: two tiles of 16 rows, or 32 numbers of depth
constexpr std::int64_t kTile = 16 * kSide;  // bfloat16 numbers in a tile
constexpr std::int64_t kBlock = 4 * kTile;  // two tiles of 16 rows, high and low: high, high, low, low
constexpr std::int64_t kRowsAtOnce =
    8 * kSide;  // rows that stay in the second-level cache while weights pass

bool ask_for_tiles() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kTiles = 1U << 24, kTilesBf16 = 1U << 22, kAvx512Bf16 = 1U << 5;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (d & kTiles) == 0 || (d & kTilesBf16) == 0) return false;
  if (!__get_cpuid_count(7, 1, &a, &b, &c, &d) || (a & kAvx512Bf16) == 0) return false;
  if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl")) return false;
  // Linux keeps the registers for those only that have asked.
  constexpr int kAskPermission = 0x1023, kTileData = 18;
  return ::syscall(SYS_arch_prctl, kAskPermission, kTileData) == 0;
}

// All eight tiles: 16 rows of 64 bytes.
struct alignas(64) TileShape {
  std::uint8_t palette = 1, start = 0, unused[14] = {};
  std::uint16_t bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileShape) == 64);

AWRY_TILES inline void split(__m512 values, __m256i& high, __m256i& low) {
  high = reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(values));
  const __m512 rounded = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(high), 16));
  low = reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(_mm512_sub_ps(values, rounded)));
}

// Rows of the input as the left side wants them: 32 rows x 32 numbers a block, blocks along the depth first.
AWRY_TILES void split_rows(const float* input, std::int64_t rows, std::int64_t depth, std::uint16_t* out) {
  for (std::int64_t row = 0; row < (rows + kSide - 1) / kSide * kSide; ++row) {
    std::uint16_t* block =
        out + row / kSide * (depth / kSide * kBlock) + row % kSide / 16 * kTile + row % 16 * kSide;
    for (std::int64_t at = 0; at < depth; at += 16) {
      __m256i high = _mm256_setzero_si256(), low = high;
      if (row < rows) split(_mm512_loadu_ps(input + row * depth + at), high, low);
      std::uint16_t* const place = block + at / kSide * kBlock + at % kSide;
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(place), high);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(place + 2 * kTile), low);
    }
  }
}

// The right side holds pairs of numbers along the depth: row r of a tile is numbers 2r and 2r + 1 of each of
// 16 columns of the product.
AWRY_TILES void split_columns(const float* weights, std::int64_t depth, std::int64_t columns,
                              std::uint16_t* out) {
  alignas(32) std::array<std::uint16_t, 16> high, low;
  for (std::int64_t column = 0; column < columns; ++column) {
    std::uint16_t* const panel =
        out + column / kSide * (depth / kSide * kBlock) + column % kSide / 16 * kTile + column % 16 * 2;
    for (std::int64_t at = 0; at < depth; at += 16) {
      __m256i split_high, split_low;
      split(_mm512_loadu_ps(weights + column * depth + at), split_high, split_low);
      _mm256_store_si256(reinterpret_cast<__m256i*>(high.data()), split_high);
      _mm256_store_si256(reinterpret_cast<__m256i*>(low.data()), split_low);
      std::uint16_t* place = panel + at / kSide * kBlock + at % kSide / 2 * kSide;
      for (std::size_t i = 0; i < 16; i += 2, place += kSide) {
        std::memcpy(place, &high[i], 4);
        std::memcpy(place + 2 * kTile, &low[i], 4);
      }
    }
  }
}

// 32 rows x 32 columns of the product.
AWRY_TILES void multiply_block(const std::uint16_t* left, const std::uint16_t* right, std::int64_t blocks,
                               float* sums) {
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  const auto add_products = [] AWRY_TILES {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  };
  for (std::int64_t i = 0; i < blocks; ++i, left += kBlock, right += kBlock) {
    _tile_loadd(4, left, 64);
    _tile_loadd(5, left + kTile, 64);
    _tile_loadd(6, right + 2 * kTile, 64);
    _tile_loadd(7, right + 3 * kTile, 64);
    add_products();
    _tile_loadd(6, right, 64);
    _tile_loadd(7, right + kTile, 64);
    add_products();
    _tile_loadd(4, left + 2 * kTile, 64);
    _tile_loadd(5, left + 3 * kTile, 64);
    add_products();
  }
  constexpr int kStride = kSide * sizeof(float);
  _tile_stored(0, sums, kStride);
  _tile_stored(1, sums + 16, kStride);
  _tile_stored(2, sums + 16 * kSide, kStride);
  _tile_stored(3, sums + 16 * kSide + 16, kStride);
}

AWRY_TILES void multiply_rows(const std::uint16_t* left, std::int64_t rows, const std::uint16_t* right,
                              std::int64_t depth, std::int64_t columns, const float* bias, float* output) {
  const TileShape shape;
  _tile_loadconfig(&shape);
  alignas(64) std::array<float, kSide * kSide> sums;
  const std::int64_t panel = depth / kSide * kBlock;
  for (std::int64_t column = 0; column < columns; column += kSide) {
    for (std::int64_t row = 0; row < rows; row += kSide) {
      multiply_block(left + row / kSide * panel, right + column / kSide * panel, depth / kSide, sums.data());
      const std::int64_t height = std::min(kSide, rows - row);
      for (std::int64_t i = 0; i < height; ++i) {
        for (std::int64_t j = 0; j < kSide; j += 16) {
          __m512 sum = _mm512_load_ps(sums.data() + i * kSide + j);
          if (bias != nullptr) sum = _mm512_add_ps(sum, _mm512_loadu_ps(bias + column + j));
          _mm512_storeu_ps(output + (row + i) * columns + column + j, sum);
        }
      }
    }
  }
  _tile_release();
}

}  // namespace

bool TileProduct::is_possible(std::int64_t inputs, std::int64_t outputs) {
  static const bool has_tiles = ask_for_tiles();
  return has_tiles && inputs % kSide == 0 && outputs % kSide == 0;
}

TileProduct::TileProduct(const float* weights, std::int64_t inputs, std::int64_t outputs)
    : inputs_(inputs), outputs_(outputs), tiles_(static_cast<std::size_t>(2 * inputs * outputs)) {
  split_columns(weights, inputs, outputs, tiles_.data());
}

void TileProduct::multiply(const float* input, std::int64_t rows, const float* bias, float* output) const {
  const std::int64_t parts = (rows + kRowsAtOnce - 1) / kRowsAtOnce;
  at::parallel_for(0, parts, 1, [&](std::int64_t first, std::int64_t last) {
    std::vector<std::uint16_t> left(static_cast<std::size_t>(2 * kRowsAtOnce * inputs_));
    for (std::int64_t part = first; part < last; ++part) {
      const std::int64_t row = part * kRowsAtOnce, count = std::min(kRowsAtOnce, rows - row);
      split_rows(input + row * inputs_, count, inputs_, left.data());
      multiply_rows(left.data(), count, tiles_.data(), inputs_, outputs_, bias, output + row * outputs_);
    }
  });
}

}  // namespace awry::inspectors::networks
