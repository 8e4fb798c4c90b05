// SPDX-License-Identifier: Apache-2.0
#include "awry/base/random.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

#include "awry/base/hash.h"

namespace awry {
namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// Two names that differ in one bit give unrelated streams, and forking by a then b differs from b then a.
std::uint64_t combine(std::uint64_t name, std::uint64_t label) {
  std::uint64_t state = name ^ 0x6a09e667f3bcc909ULL;
  const std::uint64_t first = split_mix(state);
  state = first + std::rotl(label, 23) * 0x9fb21c651e98df25ULL;
  return split_mix(state);
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed) : name_(seed), state_{} {
  std::uint64_t mixer = seed;
  for (std::uint64_t& word : state_) word = split_mix(mixer);
}

RandomStream RandomStream::fork(std::string_view label) const {
  return RandomStream(combine(name_, stable_hash64(label)));
}

RandomStream RandomStream::fork(std::uint64_t index) const {
  // The constant keeps fork(7) apart from a label that happens to hash to 7.
  return RandomStream(combine(name_ ^ 0x3c6ef372fe94f82bULL, index));
}

std::uint64_t RandomStream::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double RandomStream::uniform() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

double RandomStream::uniform(double low, double high) {
  return low + (high - low) * uniform();
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  assert(bound > 0 && "there is no number below zero");
  // Multiply-and-reject: unbiased, with one multiplication in nearly every case.
  auto product = static_cast<unsigned __int128>(next()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = -bound % bound;
    while (static_cast<std::uint64_t>(product) < threshold) {
      product = static_cast<unsigned __int128>(next()) * bound;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

int RandomStream::integer(int low, int high) {
  assert(low <= high && "an empty range has no integer");
  const auto span = static_cast<std::uint64_t>(static_cast<long long>(high) - low) + 1;
  return static_cast<int>(low + static_cast<long long>(below(span)));
}

double RandomStream::normal(double mean, double deviation) {
  // Box-Muller without keeping the second value: a stream's state is then only its generator.
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return mean + deviation * radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::uint64_t RandomStream::poisson(double mean) {
  if (mean <= 0) return 0;
  if (mean > 60) {  // the normal approximation is indistinguishable here, and constant in time
    const double value = std::round(normal(mean, std::sqrt(mean)));
    return value < 0 ? 0 : static_cast<std::uint64_t>(value);
  }
  const double limit = std::exp(-mean);
  std::uint64_t count = 0;
  for (double product = uniform(); product > limit; product *= uniform()) ++count;
  return count;
}

bool RandomStream::chance(double probability) {
  return uniform() < probability;
}

std::vector<std::size_t> RandomStream::sample(std::size_t size, std::size_t count) {
  assert(count <= size && "cannot draw more distinct items than there are");
  std::vector<std::size_t> indices(size);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  for (std::size_t i = 0; i < count; ++i) std::swap(indices[i], indices[i + below(size - i)]);
  indices.resize(count);
  return indices;
}

}  // namespace awry
