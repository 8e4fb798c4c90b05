// SPDX-License-Identifier: Apache-2.0
// A folder on the command line -> pictures to forge.
#pragma once

#include <filesystem>

#include "awry/cli/context.h"
#include "awry/forge/source_pool.h"

namespace awry::cli {

// Says how many pictures were left out, and why.
Result<forge::SourcePool> open_sources(const std::filesystem::path& folder, int threads, Context& context);

}  // namespace awry::cli
