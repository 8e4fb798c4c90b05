// SPDX-License-Identifier: Apache-2.0
// Files and folders on the command line -> one Sample per image.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/records/sample.h"

namespace awry::input {

// Folders are searched recursively for files that are named like images, in sorted order; of figures that
// `awry extract` wrote, only the panels count, and the contact sheet of `awry paint` does not. A file named
// explicitly is taken whatever its name. A file met twice counts once. Nothing is opened: whether a file
// really holds an image is found out, and reported, by whoever reads it. A path that does not exist is an
// error, and so is finding nothing at all.
Result<std::vector<Sample>> samples_of_image_files(std::span<const std::string> paths);

bool is_named_like_an_image(const std::filesystem::path& path);

}  // namespace awry::input
