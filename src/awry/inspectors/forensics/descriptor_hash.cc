// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/descriptor_hash.h"

#include "awry/base/random.h"

namespace awry::inspectors::forensics {

DescriptorHash::DescriptorHash(int bits) : bits_(bits) {
  RandomStream random(20'240'611);
  planes_.resize(static_cast<std::size_t>(bits) * kTables);
  for (Plane& plane : planes_) {
    const auto chosen = random.sample(Descriptor{}.size(), 2 * kWeighed);
    for (int i = 0; i < kWeighed; ++i) {
      plane.plus[i] = static_cast<std::uint8_t>(chosen[static_cast<std::size_t>(i)]);
      plane.minus[i] = static_cast<std::uint8_t>(chosen[static_cast<std::size_t>(i + kWeighed)]);
    }
  }
}

std::uint32_t DescriptorHash::operator()(const Descriptor& descriptor, int table) const {
  std::uint32_t hash = 0;
  for (int bit = 0; bit < bits_; ++bit) {
    const Plane& plane = planes_[static_cast<std::size_t>(table * bits_ + bit)];
    int balance = 0;
    for (int i = 0; i < kWeighed; ++i) balance += descriptor[plane.plus[i]] - descriptor[plane.minus[i]];
    hash = hash << 1 | (balance > 0 ? 1u : 0u);
  }
  return hash;
}

}  // namespace awry::inspectors::forensics
