// SPDX-License-Identifier: Apache-2.0
// Short hashes of descriptors: those of similar descriptors are equal more often than not.
#pragma once

#include <cstdint>
#include <vector>

#include "awry/inspectors/forensics/keypoints.h"

namespace awry::inspectors::forensics {

// Each bit tells on which side of a random plane a descriptor lies (random projections). A plane weighs a few
// components against as many others, so bits are balanced although descriptors have no negative components.
class DescriptorHash {
 public:
  explicit DescriptorHash(int bits);

  // One hash out of each of kTables independent ones.
  static constexpr int kTables = 12;
  std::uint32_t operator()(const Descriptor& descriptor, int table) const;

 private:
  static constexpr int kWeighed = 8;  // components on each side
  struct Plane {
    std::uint8_t plus[kWeighed], minus[kWeighed];
  };
  int bits_;
  std::vector<Plane> planes_;
};

}  // namespace awry::inspectors::forensics
