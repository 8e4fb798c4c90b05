// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/item_panels.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "awry/imaging/block_grid.h"

namespace awry::forge {
namespace {

// The release has mostly four or six blocks, with more of them along the longer side.
imaging::BlockGrid random_grid(const imaging::Image& panel, RandomStream random) {
  constexpr std::array kGrids = {imaging::BlockGrid{2, 2}, imaging::BlockGrid{2, 3},
                                 imaging::BlockGrid{3, 2}};
  if (panel.width > panel.height) return kGrids[1];
  if (panel.width < panel.height) return kGrids[2];
  return random.pick(kGrids);
}

}  // namespace

void add_panel(ThemisItem& item, std::string_view suffix, imaging::Image image) {
  std::string id = item.question_id + std::string(suffix);
  std::string path = fmt::format("{}/panel/{}.png", folder_of(item.plan.category), id);
  item.panels.push_back({std::move(id), std::move(path), std::move(image)});
}

void add_mask(ThemisItem& item, std::string role, std::string_view suffix, imaging::Bitmap pixels) {
  std::string path =
      fmt::format("{}/mask/{}{}_mask.png", folder_of(item.plan.category), item.question_id, suffix);
  item.masks.push_back({std::move(role), std::move(path), std::move(pixels)});
}

Result<Rejection> lay_grid(ThemisItem& item, const imaging::Bitmap* forged) {
  const imaging::Image& image = item.panels.front().image;
  item.grid = random_grid(image, item.plan.seed.child("grid").stream());
  if (forged == nullptr) return Rejection();
  AWRY_TRY_ASSIGN(BlockSet set, imaging::blocks_from_bitmap(*forged, *item.grid));
  if (set.blocks.empty()) {
    ++item.tally["in_no_block"];
    return Rejection("what changed is too little for any block to be named");
  }
  item.blocks = std::move(set.blocks);
  add_mask(item, "forged", "", *forged);
  return Rejection();
}

}  // namespace awry::forge
