// SPDX-License-Identifier: Apache-2.0
// BERTScore from cosines: every token is matched to the most similar token of the other text.
#pragma once

#include <cstddef>
#include <span>

namespace awry::inspectors::networks {

struct BertScore {
  float precision = 0, recall = 0, f1 = 0;
};

// The cosines of two texts: a row per token of the prediction, a column per token of the truth, cut out of
// a larger matrix whose rows are `stride` apart.
struct Cosines {
  const float* first = nullptr;
  std::size_t rows = 0, columns = 0, stride = 0;
};

// Precision is the weighted mean over rows of the best cosine, recall the same over columns, F1 their
// harmonic mean. A token of weight 0 counts for nothing but may be what another is matched to. Where all
// weights are 0 there is nothing to compare: 0.
BertScore match_greedily(const Cosines& cosines, std::span<const float> row_weights,
                         std::span<const float> column_weights);

// Makes every row of `width` numbers one of length 1, so that products are cosines.
void normalise_rows(std::span<float> rows, std::size_t width);

}  // namespace awry::inspectors::networks
