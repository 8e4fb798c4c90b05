// SPDX-License-Identifier: Apache-2.0
// JSON that a model folder brings along: small, or not what it says it is. Include from .cc files only.
#pragma once

#include "awry/base/json.h"

namespace awry::inspectors::networks {

// Our JSON keeps fields in order and looks for duplicates one by one, which a file made to be slow would use.
inline constexpr std::uint64_t kMaxSmallJson = 4ULL << 20;

Result<Json> read_small_json(const std::filesystem::path& path);

}  // namespace awry::inspectors::networks
