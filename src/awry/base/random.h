// SPDX-License-Identifier: Apache-2.0
// Seeded random streams.
//
// A stream is named by a seed and a path of labels, never by the order in which threads reach it:
//   RandomStream(seed).fork("panel").fork(17)
// gives the same numbers whichever thread asks, and whatever other streams did before. The
// distributions are our own, because those of the standard library differ between implementations.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace awry {

class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed);

  // A new stream that depends on this stream's name and the label, not on numbers already drawn.
  RandomStream fork(std::string_view label) const;
  RandomStream fork(std::uint64_t index) const;

  std::uint64_t next();                      // 64 uniform bits (xoshiro256**)
  double uniform();                          // [0, 1)
  double uniform(double low, double high);   // [low, high)
  std::uint64_t below(std::uint64_t bound);  // [0, bound), unbiased; bound > 0
  int integer(int low, int high);            // [low, high], both included
  double normal(double mean = 0, double deviation = 1);
  std::uint64_t poisson(double mean);
  bool chance(double probability);

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }
  template <class Container>
  const auto& pick(const Container& items) {
    return items[below(items.size())];
  }
  // `count` distinct indices out of [0, size), in random order.
  std::vector<std::size_t> sample(std::size_t size, std::size_t count);

  // For std algorithms that take a generator.
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~0ULL; }
  result_type operator()() { return next(); }

 private:
  std::uint64_t name_;
  std::array<std::uint64_t, 4> state_;
};

}  // namespace awry
