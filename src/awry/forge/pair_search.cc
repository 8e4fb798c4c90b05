// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/pair_search.h"

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <queue>
#include <thread>

namespace awry::forge {
namespace {

constexpr std::size_t kTile = 32;     // panels on each side of a block
constexpr std::size_t kChunk = 1792;  // greys taken at a time: two tiles of them stay in the second cache
constexpr double kPixels = 224 * 224;

// Greys less 128, so that products of many fit into 32 bits: 2^17 * 2^14 = 2^31 at worst, and one less.
struct Tile {
  alignas(32) std::array<std::int16_t, kTile * kChunk> values;
  void pack(std::span<const std::uint8_t* const> panels, std::size_t from, std::size_t count) {
    for (std::size_t p = 0; p < kTile; ++p) {
      std::int16_t* row = &values[p * kChunk];
      if (p >= panels.size()) {
        std::fill_n(row, kChunk, std::int16_t{0});
        continue;
      }
      for (std::size_t i = 0; i < count; ++i) row[i] = static_cast<std::int16_t>(panels[p][from + i] - 128);
      std::fill(row + count, row + kChunk, std::int16_t{0});
    }
  }
};
using Sums = std::array<std::int32_t, kTile * kTile>;

__attribute__((target("avx2"))) std::int32_t total_of(__m256i lanes) {
  alignas(32) std::int32_t values[8];
  _mm256_store_si256(reinterpret_cast<__m256i*>(values), lanes);
  std::int32_t total = 0;
  for (const std::int32_t value : values) total += value;
  return total;
}

// Four by two panels at a time: six loads feed eight multiplications, and the sums stay in registers.
__attribute__((target("avx2"))) void add_products_avx2(const Tile& a, const Tile& b, Sums& sums) {
  for (std::size_t i = 0; i < kTile; i += 4) {
    for (std::size_t j = 0; j < kTile; j += 2) {
      __m256i sum[4][2];
      for (auto& row : sum) row[0] = row[1] = _mm256_setzero_si256();
      const std::int16_t *x = &a.values[i * kChunk], *y = &b.values[j * kChunk];
      for (std::size_t k = 0; k < kChunk; k += 16) {
        const __m256i y0 = _mm256_load_si256(reinterpret_cast<const __m256i*>(y + k));
        const __m256i y1 = _mm256_load_si256(reinterpret_cast<const __m256i*>(y + kChunk + k));
        for (std::size_t r = 0; r < 4; ++r) {
          const __m256i xr = _mm256_load_si256(reinterpret_cast<const __m256i*>(x + r * kChunk + k));
          sum[r][0] = _mm256_add_epi32(sum[r][0], _mm256_madd_epi16(xr, y0));
          sum[r][1] = _mm256_add_epi32(sum[r][1], _mm256_madd_epi16(xr, y1));
        }
      }
      for (std::size_t r = 0; r < 4; ++r) {
        sums[(i + r) * kTile + j] += total_of(sum[r][0]);
        sums[(i + r) * kTile + j + 1] += total_of(sum[r][1]);
      }
    }
  }
}

void add_products_plainly(const Tile& a, const Tile& b, Sums& sums) {
  for (std::size_t i = 0; i < kTile; ++i) {
    for (std::size_t j = 0; j < kTile; ++j) {
      std::int32_t sum = 0;
      for (std::size_t k = 0; k < kChunk; ++k) sum += a.values[i * kChunk + k] * b.values[j * kChunk + k];
      sums[i * kTile + j] += sum;
    }
  }
}

void add_products(const Tile& a, const Tile& b, Sums& sums) {
  static const bool fast = __builtin_cpu_supports("avx2") != 0;
  fast ? add_products_avx2(a, b, sums) : add_products_plainly(a, b, sums);
}

// Products of greys less 128, for one block of panels against another.
Sums centred_products(std::span<const std::uint8_t* const> rows, std::span<const std::uint8_t* const> columns,
                      std::size_t length, Tile& a, Tile& b) {
  Sums sums{};
  for (std::size_t from = 0; from < length; from += kChunk) {
    const std::size_t count = std::min(kChunk, length - from);
    a.pack(rows, from, count);
    b.pack(columns, from, count);
    add_products(a, b, sums);
  }
  return sums;
}

std::int64_t sum_of(const std::uint8_t* greys, std::size_t length) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < length; ++i) sum += greys[i];
  return sum;
}

// sum ab = sum (a - 128)(b - 128) + 128 (sum a + sum b) - 128^2 n
std::uint64_t uncentred(std::int32_t product, std::int64_t sum_a, std::int64_t sum_b, std::size_t length) {
  return static_cast<std::uint64_t>(product + 128 * (sum_a + sum_b) -
                                    16384 * static_cast<std::int64_t>(length));
}

// What the score needs of a panel besides its greys.
struct Prepared {
  std::vector<const std::uint8_t*> greys;
  std::vector<std::int64_t> sums;
  std::vector<double> histograms;       // less their mean, one after the other
  std::vector<double> histogram_power;  // sum of squares
};

Prepared prepare(std::span<const PanelSignature> panels) {
  Prepared prepared;
  for (const PanelSignature& panel : panels) {
    prepared.greys.push_back(panel.grey.data());
    prepared.sums.push_back(sum_of(panel.grey.data(), panel.grey.size()));
    double power = 0;
    for (const std::uint32_t count : panel.histogram) {
      const double centred = count - kPixels / 256;
      prepared.histograms.push_back(centred);
      power += centred * centred;
    }
    prepared.histogram_power.push_back(power);
  }
  return prepared;
}

double score_of(std::span<const PanelSignature> panels, const Prepared& prepared, std::size_t i,
                std::size_t j, std::uint64_t products) {
  const double *x = &prepared.histograms[i * 256], *y = &prepared.histograms[j * 256];
  // Four sums at once; whole numbers below 2^53 add up the same in any order.
  double part[4] = {0, 0, 0, 0};
  for (std::size_t k = 0; k < 256; k += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) part[lane] += x[k + lane] * y[k + lane];
  }
  const double product = part[0] + part[1] + part[2] + part[3];
  const double scale = prepared.histogram_power[i] * prepared.histogram_power[j];
  const double correlation =
      scale > std::numeric_limits<double>::epsilon() ? product / std::sqrt(scale) : 1.0;
  return similarity_from_sums(panels[i], panels[j], correlation, products).total();
}

bool better(const SimilarPair& a, const SimilarPair& b) {
  if (a.score != b.score) return a.score > b.score;
  return a.first != b.first ? a.first < b.first : a.second < b.second;
}

// Keeps the best `limit` pairs; the worst of them is on top.
class Best {
 public:
  explicit Best(std::size_t limit) : limit_(limit) {}
  void offer(const SimilarPair& pair) {
    if (heap_.size() < limit_) {
      heap_.push(pair);
    } else if (limit_ > 0 && better(pair, heap_.top())) {
      heap_.pop();
      heap_.push(pair);
    }
  }
  std::vector<SimilarPair> sorted() {
    std::vector<SimilarPair> pairs;
    for (; !heap_.empty(); heap_.pop()) pairs.push_back(heap_.top());
    std::ranges::reverse(pairs);
    return pairs;
  }

 private:
  std::size_t limit_;
  std::priority_queue<SimilarPair, std::vector<SimilarPair>, decltype(&better)> heap_{&better};
};

}  // namespace

std::vector<std::uint64_t> grey_products(std::span<const std::uint8_t* const> rows,
                                         std::span<const std::uint8_t* const> columns, std::size_t length) {
  std::vector<std::uint64_t> products(rows.size() * columns.size());
  const auto a = std::make_unique<Tile>(), b = std::make_unique<Tile>();
  for (std::size_t i = 0; i < rows.size(); i += kTile) {
    const auto block_rows = rows.subspan(i, std::min(kTile, rows.size() - i));
    for (std::size_t j = 0; j < columns.size(); j += kTile) {
      const auto block_columns = columns.subspan(j, std::min(kTile, columns.size() - j));
      const Sums sums = centred_products(block_rows, block_columns, length, *a, *b);
      for (std::size_t r = 0; r < block_rows.size(); ++r) {
        for (std::size_t c = 0; c < block_columns.size(); ++c) {
          products[(i + r) * columns.size() + j + c] = uncentred(
              sums[r * kTile + c], sum_of(block_rows[r], length), sum_of(block_columns[c], length), length);
        }
      }
    }
  }
  return products;
}

std::vector<SimilarPair> most_similar_pairs(std::span<const PanelSignature> panels,
                                            const PairSearchOptions& options) {
  const Prepared prepared = prepare(panels);
  const std::size_t length = panels.empty() ? 0 : panels.front().grey.size();
  const std::size_t blocks = (panels.size() + kTile - 1) / kTile;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  Best overall(options.keep);
  const auto work = [&] {
    const auto a = std::make_unique<Tile>(), b = std::make_unique<Tile>();
    Best best(options.keep);
    for (std::size_t block = next++; block < blocks; block = next++) {
      const std::size_t i = block * kTile, rows = std::min(kTile, panels.size() - i);
      for (std::size_t j = i; j < panels.size(); j += kTile) {
        const std::size_t columns = std::min(kTile, panels.size() - j);
        const Sums sums = centred_products(std::span(prepared.greys).subspan(i, rows),
                                           std::span(prepared.greys).subspan(j, columns), length, *a, *b);
        for (std::size_t r = 0; r < rows; ++r) {
          for (std::size_t c = 0; c < columns; ++c) {
            const std::size_t x = i + r, y = j + c;
            if (x >= y || (!options.groups.empty() && options.groups[x] == options.groups[y])) continue;
            const std::uint64_t products =
                uncentred(sums[r * kTile + c], prepared.sums[x], prepared.sums[y], length);
            best.offer({static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                        score_of(panels, prepared, x, y, products)});
          }
        }
      }
    }
    const std::lock_guard lock(mutex);
    for (const SimilarPair& pair : best.sorted()) overall.offer(pair);
  };
  {
    std::vector<std::jthread> helpers;
    for (int i = 1; i < options.threads; ++i) helpers.emplace_back(work);
    work();
  }
  return overall.sorted();
}

}  // namespace awry::forge
