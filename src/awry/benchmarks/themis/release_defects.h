// SPDX-License-Identifier: Apache-2.0
// What is wrong with the released questions: found, said in words, and corrected on request.
#pragma once

#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/themis/question_file.h"

namespace awry::benchmarks::themis {

// Returns one note per kind of defect. With `repair` the questions are corrected in place:
//   - a consistent text that carries its twin's tampered sentences gets the original ones back
//   - a tampered sentence listed under the wrong part of the text moves to the part it stands in
//   - a "tampered" sentence that equals its original is no longer one
//   - block numbers outside the grid are dropped
//   - of two questions about the same images with the same truth the later one goes
// Without `repair` they stay as released, but a block number outside its grid is accepted only in the six
// questions the release is known to have it in; anywhere else it is an error.
Result<std::vector<std::string>> review_release(std::vector<ReleasedQuestion>& questions, bool repair);

}  // namespace awry::benchmarks::themis
