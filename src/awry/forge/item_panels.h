// SPDX-License-Identifier: Apache-2.0
// The files of a question, named as in the release and still in memory.
#pragma once

#include <string>
#include <string_view>

#include "awry/base/result.h"
#include "awry/forge/themis_item.h"
#include "awry/forge/themis_tries.h"

namespace awry::forge {

// `suffix` follows the question's id: "_a".
void add_panel(ThemisItem& item, std::string_view suffix, imaging::Image image);
void add_mask(ThemisItem& item, std::string role, std::string_view suffix, imaging::Bitmap pixels);

// A panel to be asked about alone: every such question gets a grid, so that having one betrays nothing.
// `forged` becomes its mask and its blocks; nullptr: there is none. Given up when it touches no block enough.
Result<Rejection> lay_grid(ThemisItem& item, const imaging::Bitmap* forged);

}  // namespace awry::forge
