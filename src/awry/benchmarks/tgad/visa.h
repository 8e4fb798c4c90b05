// SPDX-License-Identifier: Apache-2.0
// VisA keeps its test set in a table: split_csv/1cls.csv with object, split, label, image and mask.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/tgad/test_set.h"

namespace awry::benchmarks::tgad {

inline constexpr const char* kVisaSplit = "split_csv/1cls.csv";

// The test rows, one set per object; of `object` only, unless that is empty. Paths in the table are relative
// to `root`.
Result<std::vector<TestSet>> read_visa_split(const std::filesystem::path& root, std::string_view object);

}  // namespace awry::benchmarks::tgad
