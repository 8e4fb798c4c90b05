// SPDX-License-Identifier: Apache-2.0
// Questions that take one source: copy-moves, resynthesised regions and authentic panels.
#include <optional>
#include <utility>

#include "awry/forge/compose.h"
#include "awry/forge/copy_move.h"
#include "awry/forge/item_panels.h"
#include "awry/forge/item_sources.h"
#include "awry/forge/resynthesis.h"
#include "awry/forge/source_pool.h"
#include "awry/forge/themis_tries.h"

namespace awry::forge {

Result<Rejection> try_copy_move(ThemisItem& item, const SeedPath& seed) {
  const PanelSize size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  AWRY_TRY_ASSIGN(const Painted panel,
                  paint_source(item, "panel", size, seed.child("panel"), seed.child("style")));
  std::optional<imaging::Bitmap> marked;
  if (item.plan.pool != nullptr) {
    AWRY_TRY_ASSIGN(marked,
                    item.plan.pool->load_mask(pool_index(item), panel.image.width, panel.image.height));
  }
  auto forged = forge_copy_move(
      panel.image, panel.annotations, seed.child("copy_move"),
      {.object = marked ? &*marked : nullptr, .quality = item.plan.quality, .tally = &item.tally});
  if (!forged) return Rejection(forged.error().message());

  item.letters = "B";
  item.recipe = std::move(forged->recipe);
  item.transform = std::get<Pair>(forged->truth.where).second_from_first;
  item.truth = std::move(forged->truth);
  add_panel(item, "", std::move(forged->image));
  // Nobody can tell the original from its copy, so both belong to the truth.
  const imaging::Bitmap both = united(forged->source, forged->target);
  AWRY_TRY_ASSIGN(Rejection rejection, lay_grid(item, &both));
  add_mask(item, "copied_from", "_from", std::move(forged->source));
  add_mask(item, "copied_to", "_to", std::move(forged->target));
  return rejection;
}

Result<Rejection> take_authentic(ThemisItem& item, const SeedPath& seed) {
  const PanelSize size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  AWRY_TRY_ASSIGN(Painted panel, paint_source(item, "panel", size, seed.child("panel"), seed.child("style")));
  item.letters = "D";
  item.recipe.seed = seed;
  add_panel(item, "", std::move(panel.image));
  return lay_grid(item, nullptr);
}

Result<Rejection> try_resynthesis(ThemisItem& item, const SeedPath& seed) {
  const PanelSize size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  AWRY_TRY_ASSIGN(const Painted panel,
                  paint_source(item, "panel", size, seed.child("panel"), seed.child("style")));
  auto forged =
      forge_resynthesis(panel.image, panel.annotations, seed.child("resynthesis"), {.tally = &item.tally});
  if (!forged) return Rejection(forged.error().message());
  item.recipe = std::move(forged->recipe);
  const imaging::Bitmap changed = changed_pixels(panel.image, forged->image);
  item.truth = std::move(forged->truth);
  item.truth->where = imaging::mask_from_bitmap(changed);
  add_panel(item, "", std::move(forged->image));
  return lay_grid(item, &changed);
}

}  // namespace awry::forge
