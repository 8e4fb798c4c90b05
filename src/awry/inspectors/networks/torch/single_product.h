// SPDX-License-Identifier: Apache-2.0
// Products of matrices of floats, through oneDNN.
//
// Not through torch's own at::mm: that asks OpenBLAS, and Debian's does not know processors younger than
// itself, on which it then takes five times as long. oneDNN asks what the processor can do, and is never
// slower. libtorch brings it along without its headers, so the one function that is used is declared here.
#pragma once

#include <cstdint>
#include <stdexcept>

extern "C" int dnnl_sgemm(char transpose_left, char transpose_right, std::int64_t rows, std::int64_t columns,
                          std::int64_t depth, float scale, const float* left, std::int64_t left_stride,
                          const float* right, std::int64_t right_stride, float keep, float* out,
                          std::int64_t out_stride);

namespace awry::inspectors::networks {

struct Matrix {
  const float* data;
  std::int64_t stride;  // between rows
};

struct ProductSize {
  std::int64_t rows, columns, depth;
};

enum class Right : char { kAsItIs = 'N', kTransposed = 'T' };

// out = scale * left * right + keep * out. `right` is depth x columns, or columns x depth when transposed.
inline void multiply(ProductSize size, Matrix left, Matrix right, Right side, float* out, std::int64_t stride,
                     float scale = 1, float keep = 0) {
  if (dnnl_sgemm('N', static_cast<char>(side), size.rows, size.columns, size.depth, scale, left.data,
                 left.stride, right.data, right.stride, keep, out, stride) != 0) {
    throw std::runtime_error("oneDNN cannot multiply the matrices");
  }
}

}  // namespace awry::inspectors::networks
