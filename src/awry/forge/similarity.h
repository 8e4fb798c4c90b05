// SPDX-License-Identifier: Apache-2.0
// How alike two panels are, as THEMIS searches pairs for splicing:
//   S = 0.4 (correlation of grey histograms + 1) / 2 + 0.4 max(SSIM, 0) + 0.2 size
// Histograms and SSIM are taken of the panels in grey at 224x224. SSIM is the simplified kind: one window as
// large as the picture, grey values from 0 to 1, c1 = 0.01^2, c2 = 0.03^2.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "awry/imaging/image.h"

namespace awry::forge {

// All that the score needs of a panel, so that an exhaustive search reads each panel once.
struct PanelSignature {
  int width = 0, height = 0;
  std::array<std::uint32_t, 256> histogram{};
  std::vector<std::uint8_t> grey;  // 224 x 224
  double mean = 0, variance = 0;   // of grey / 255
};

struct PanelSimilarity {
  double histogram_correlation = 0;  // -1..1
  double ssim = 0;                   // -1..1
  double size = 0;                   // 0..1
  double total() const;
};

PanelSignature signature_of(const imaging::Image& panel);
PanelSimilarity similarity(const PanelSignature& a, const PanelSignature& b);
// The same when the costly sums are already known; `products` is the sum of grey times grey.
PanelSimilarity similarity_from_sums(const PanelSignature& a, const PanelSignature& b,
                                     double histogram_correlation, std::uint64_t products);

}  // namespace awry::forge
