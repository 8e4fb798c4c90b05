// SPDX-License-Identifier: Apache-2.0
// One question compared with its truth: what every metric of THEMIS is a mean of.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "awry/base/result.h"
#include "awry/benchmarks/themis/themis.h"

namespace awry::benchmarks::themis {

struct Item {
  const Sample* sample = nullptr;
  const Task* task = nullptr;
  std::string
      type;  // splicing | copy_move | ai_generated | duplication | text_image_inconsistency | authentic
  bool authentic = false, real = false;

  Outcome outcome = Outcome::kAnswered;
  bool asked = true;          // false: nobody asked, or the answer got lost
  std::string truth, chosen;  // letters; nothing is chosen without an answer
  std::string claimed;        // the type that the answer claims, "" for none

  // Without an answer all of these are 0.
  double id = 0;                   // right option, or for duplication the F1 of the sets of operations
  std::optional<double> loc;       // IoU of blocks, or F1 of words; absent where the truth has no place
  std::optional<double> block_f1;  // set F1 of blocks
  double exact_match = 0;          // everything that was asked is right: options and place
  double subset_credit = 0;        // duplication: share of the operations found, if none is wrong

  bool answered() const { return asked && outcome == Outcome::kAnswered; }
};

// The first question of the sample's task counts. nullopt: the sample has no truth to compare with.
Result<std::optional<Item>> compare(const AnsweredSample& answered);

}  // namespace awry::benchmarks::themis
