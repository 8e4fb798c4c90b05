// SPDX-License-Identifier: Apache-2.0
// Every panel against every other, exactly: the pair search of THEMIS as products of blocks of a matrix.
//
// Greys are integers, so the sums behind means, variances and covariances are exact in whole numbers however
// they are ordered, and the scores are bit for bit those of similarity.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "awry/forge/similarity.h"

namespace awry::forge {

struct SimilarPair {
  std::uint32_t first = 0, second = 0;  // first < second
  double score = 0;
  bool operator==(const SimilarPair&) const = default;
};

struct PairSearchOptions {
  std::size_t keep = 1000;      // pairs; equal scores in the order of their panels
  std::span<const int> groups;  // if given, one a panel: pairs within a group do not count
  int threads = 1;              // changes nothing but the time
};

// The most similar pairs, best first.
std::vector<SimilarPair> most_similar_pairs(std::span<const PanelSignature> panels,
                                            const PairSearchOptions& options = {});

// sum of a[i] * b[i] for every a of `rows` and b of `columns`, row by row. All must be equally long, at most
// 2^17 greys.
std::vector<std::uint64_t> grey_products(std::span<const std::uint8_t* const> rows,
                                         std::span<const std::uint8_t* const> columns, std::size_t length);

}  // namespace awry::forge
