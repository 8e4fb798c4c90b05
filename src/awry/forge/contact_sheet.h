// SPDX-License-Identifier: Apache-2.0
// Many pictures at a glance.
#pragma once

#include <cstddef>
#include <span>

#include "awry/imaging/image.h"

namespace awry::forge {

inline constexpr std::size_t kMaxContactPictures = 64;

// In rows, each within a square of `side` pixels, in the order given. Pictures beyond the limit are left out.
imaging::Image contact_sheet(std::span<const imaging::Image> pictures, int side = 224);

}  // namespace awry::forge
