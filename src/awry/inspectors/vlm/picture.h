// SPDX-License-Identifier: Apache-2.0
// An image as it travels to a model: the file's own bytes, unless a limit or the format forbids it.
//
// Re-encoding destroys the traces that forensic questions are about, so it happens only when it must.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "awry/base/result.h"
#include "awry/records/region.h"

namespace awry::inspectors::vlm {

// 0: no limit. Checked in this order; what is too large first shrinks to the long edge, then by 10% of each
// side again and again until the pixels and the encoded bytes fit.
struct PictureLimits {
  int max_long_edge = 0;
  std::int64_t max_pixels = 0;
  std::uint64_t max_bytes = 0;  // of the file, before base64
  bool operator==(const PictureLimits&) const = default;
};

struct Picture {
  std::string bytes;
  std::string mime_type;  // "image/png"
  int width = 0, height = 0;
  bool reencoded = false;
  Transform sent_from_original = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // carries boxes from file to model
};

// TIFF and BMP are always re-encoded, because endpoints take only PNG, JPEG and WebP. JPEG and WebP stay
// lossy (JPEG, quality 95); everything else becomes PNG.
Result<Picture> load_picture(const std::filesystem::path& path, const PictureLimits& limits = {});
Result<Picture> load_picture_bytes(std::string bytes, std::string_view name,
                                   const PictureLimits& limits = {});

void append_data_url(std::string& out, const Picture& picture);  // data:image/png;base64,...

}  // namespace awry::inspectors::vlm
