// SPDX-License-Identifier: Apache-2.0
// y = x W^T on processors that multiply tiles of bfloat16 (AMX), with the precision of floats kept.
//
// Every float is split in two bfloat16, x = high + low, which together hold 16 of its 24 bits of mantissa.
// The product is high high' + high low' + low high', summed as floats: what is left out is below 2^-16 of
// each term, and as likely above as below. Three products of tiles take less than half the time of one of
// floats.
#pragma once

#include <cstdint>
#include <vector>

namespace awry::inspectors::networks {

class TileProduct {
 public:
  // Whether this processor can, and the system lets us. Sides that are no multiples of 32 are left to others.
  static bool is_possible(std::int64_t inputs, std::int64_t outputs);

  // Reads outputs x inputs numbers, a row per output, and keeps them split.
  TileProduct(const float* weights, std::int64_t inputs, std::int64_t outputs);

  // rows x inputs -> rows x outputs. `bias` may be null.
  void multiply(const float* input, std::int64_t rows, const float* bias, float* output) const;

 private:
  std::int64_t inputs_, outputs_;
  std::vector<std::uint16_t> tiles_;
};

}  // namespace awry::inspectors::networks
