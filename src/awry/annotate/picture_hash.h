// SPDX-License-Identifier: Apache-2.0
// Pictures that look the same though their bytes differ: re-encoded, resized, slightly retouched.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "awry/base/result.h"

namespace awry::annotate {

// Whether each of 8 x 8 cells is brighter than its right neighbour, then than the one below: 128 signs.
using PictureHash = std::array<std::uint64_t, 2>;

// Nothing for a picture without contrast: all such pictures would look alike.
Result<std::optional<PictureHash>> picture_hash(const std::filesystem::path& path);

int differing_signs(const PictureHash& a, const PictureHash& b);  // 0..128

// Copies after JPEG, resizing or small retouches differ by a few signs, unrelated pictures by about 64.
inline constexpr int kNearDuplicate = 10;

}  // namespace awry::annotate
