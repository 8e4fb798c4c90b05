// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "awry/base/result.h"
#include "awry/forge/themis_set.h"

namespace awry::pipeline {

// A small set for whole runs: three questions about one panel each, and one about a pair.
inline void forge_four_questions(const std::filesystem::path& folder, int panel_side) {
  value_or_throw(forge::forge_themis_set(folder, {.splicing = 1,
                                                  .copy_move = 1,
                                                  .authentic = 1,
                                                  .global_duplicates = 1,
                                                  .local_duplicates = 0,
                                                  .unrelated_pairs = 0,
                                                  .panel_side = panel_side}));
}

}  // namespace awry::pipeline
