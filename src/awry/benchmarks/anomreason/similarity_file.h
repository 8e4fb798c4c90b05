// SPDX-License-Identifier: Apache-2.0
// Similarities computed elsewhere, a row per prediction and a column per truth, in the order of the files:
//   {"encoder": "distilbert-base-uncased", "layer": 5, "hash": "...",
//    "images": {"cat.png": {"phenomenon": [[0.91, 0.62]], "reasoning": [[0.88, 0.57]]}}}
#pragma once

#include <filesystem>
#include <memory>

#include "awry/base/result.h"
#include "awry/score/similarity.h"

namespace awry::benchmarks::anomreason {

// encoder, layer and hash are optional and go into the metric signature as they are. Errors name the image,
// the field and the row.
Result<std::unique_ptr<score::Similarity>> read_similarity_file(const std::filesystem::path& path);

}  // namespace awry::benchmarks::anomreason
