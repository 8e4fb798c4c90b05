// SPDX-License-Identifier: Apache-2.0
// From pixels to files. The same pixels always give the same bytes.
#pragma once

#include <filesystem>
#include <string>

#include "awry/base/result.h"
#include "awry/imaging/image.h"

namespace awry::imaging {

// Lossless, 1, 3 or 4 channels. The image must not be empty.
std::string encode_png(const Image& image);

// Quality 1 to 100, 4:2:0 chroma below 90 and 4:4:4 from there on; alpha is composed over white.
// Fails for images above 65,500 pixels a side.
Result<std::string> encode_jpeg(const Image& image, int quality = 90);

// Quality 0 to 100, lossy; alpha is kept. Fails for images above 16,383 pixels a side.
Result<std::string> encode_webp(const Image& image, int quality = 80);

// The file ending chooses the format: .png, .jpg, .jpeg or .webp, at the default quality.
Result<void> write_image(const std::filesystem::path& path, const Image& image);

}  // namespace awry::imaging
