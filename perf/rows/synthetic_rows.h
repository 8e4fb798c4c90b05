// SPDX-License-Identifier: Apache-2.0
// Made-up MagicData: as many rows as the real set, with labels as frequent as the paper counts them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "awry/base/result.h"

namespace awry::perf {

struct SyntheticFiles {
  std::filesystem::path truth, answers;
  std::uintmax_t bytes = 0;  // of both
};

// Truth rows hold image, prompt and label; answer rows the image and a reply that thinks before its verdict.
// About one reply in two hundred is not readable, one in twenty not in the released form.
Result<SyntheticFiles> write_synthetic_rows(const std::filesystem::path& folder, std::size_t rows,
                                            std::uint64_t seed);

}  // namespace awry::perf
