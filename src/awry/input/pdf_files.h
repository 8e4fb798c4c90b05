// SPDX-License-Identifier: Apache-2.0
// Files and folders on the command line -> the PDFs among them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "awry/base/result.h"

namespace awry::input {

// Folders are searched recursively for files that end in .pdf, in sorted order; a file named explicitly is
// taken whatever its name. A path that does not exist is an error, and so is finding nothing at all.
Result<std::vector<std::filesystem::path>> pdf_files(std::span<const std::string> paths);

bool is_named_like_a_pdf(const std::filesystem::path& path);

}  // namespace awry::input
