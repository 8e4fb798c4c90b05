// SPDX-License-Identifier: Apache-2.0
// Where the pictures of a question come from: a painter or a pool. Whatever is fetched is also recorded in
// the item.
#pragma once

#include <string>

#include "awry/base/random.h"
#include "awry/base/result.h"
#include "awry/forge/paint.h"
#include "awry/forge/themis_item.h"

namespace awry::forge {

struct PanelSize {
  int width = 0, height = 0;
};

// Square half of the time, otherwise 4:3 lying or standing.
PanelSize random_shape(int longer_side, RandomStream random);

// All sources of one try share a style, as panels of one figure do. With a pool, its next picture of the size
// asked for, without a caption.
Result<Painted> paint_source(ThemisItem& item, std::string role, PanelSize size, const SeedPath& seed,
                             const SeedPath& style);
Result<Painted> load_source(ThemisItem& item, std::string role, std::size_t index, int longer_side);

// The next figure of the pool whose words are known.
Result<Painted> load_figure(ThemisItem& item, int longer_side);

// The picture of the pool that this try starts from.
std::size_t pool_index(const ThemisItem& item);

}  // namespace awry::forge
