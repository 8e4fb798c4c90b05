// SPDX-License-Identifier: Apache-2.0
// Paths given by a user -> the files they stand for.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "awry/base/result.h"

namespace awry::input {

// Folders are searched recursively for the files that are wanted, in sorted order; a file named explicitly is
// taken in any case. A path that does not exist is an error, and so is a folder that cannot be listed.
Result<std::vector<std::filesystem::path>> files_at(
    std::span<const std::string> paths, const std::function<bool(const std::filesystem::path&)>& is_wanted);

}  // namespace awry::input
