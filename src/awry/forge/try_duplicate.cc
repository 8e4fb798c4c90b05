// SPDX-License-Identifier: Apache-2.0
// Pairs: duplicates of a whole panel, windows of one picture that overlap, and panels that share nothing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "awry/forge/duplicate.h"
#include "awry/forge/item_panels.h"
#include "awry/forge/item_sources.h"
#include "awry/forge/source_pool.h"
#include "awry/forge/themis_tries.h"

namespace awry::forge {
namespace {

// Two pictures of different groups, of one scenario if there are any.
Result<Rejection> load_unrelated(ThemisItem& item) {
  const auto images = item.plan.pool->images();
  const std::size_t first = pool_index(item);
  std::optional<std::size_t> second;
  for (std::size_t step = 1; step < images.size(); ++step) {
    const std::size_t other = (first + step) % images.size();
    if (images[other].group == images[first].group) continue;
    if (!second) second = other;
    if (images[other].scenario != images[first].scenario) continue;
    second = other;
    break;
  }
  if (!second) return Rejection("all pictures of the pool are near-duplicates");
  for (const auto& [suffix, index] : {std::pair("_a", first), std::pair("_b", *second)}) {
    AWRY_TRY_ASSIGN(Painted panel, load_source(item, "panel", index, item.plan.panel_side));
    add_panel(item, suffix, std::move(panel.image));
  }
  return Rejection();
}

void take_pair(ThemisItem& item, DuplicatePair pair, RandomStream random) {
  item.recipe = pair.recipe;
  // Otherwise the retouched panel would always be the second one asked about.
  if (random.chance(0.5)) {
    pair = exchanged(std::move(pair));
    item.recipe.operations.push_back({"exchange_panels", {}});
  }
  item.letters = pair.letters;
  item.transform = pair.second_from_first;
  item.duplication_ratio = pair.duplication_ratio;
  item.truth = std::move(pair.truth);
  add_panel(item, "_a", std::move(pair.first));
  add_panel(item, "_b", std::move(pair.second));
  add_mask(item, "shared_in_first", "_a", std::move(pair.shared_in_first));
  add_mask(item, "shared_in_second", "_b", std::move(pair.shared_in_second));
}

// Whether the edge of a window runs through a scale bar or label: half a scale bar is no forger's choice.
bool window_cuts(const Operation& crop, const std::vector<Box>& annotations) {
  const double left = crop.settings.at("x"), top = crop.settings.at("y");
  const double right = left + crop.settings.at("width"), bottom = top + crop.settings.at("height");
  return std::ranges::any_of(annotations, [&](const Box& box) {
    const bool apart =
        box.x >= right || box.y >= bottom || box.x + box.width <= left || box.y + box.height <= top;
    const bool within =
        box.x >= left && box.y >= top && box.x + box.width <= right && box.y + box.height <= bottom;
    return !apart && !within;
  });
}

}  // namespace

Result<Rejection> take_unrelated(ThemisItem& item, const SeedPath& seed) {
  const PanelSize size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  item.letters = "F";
  item.recipe.seed = seed;
  if (item.plan.pool != nullptr) return load_unrelated(item);
  for (const char* side : {"a", "b"}) {
    AWRY_TRY_ASSIGN(Painted panel,
                    paint_source(item, "panel", size, seed.child("panel").child(side), seed.child("style")));
    add_panel(item, fmt::format("_{}", side), std::move(panel.image));
  }
  return Rejection();
}

Result<Rejection> try_global_duplicate(ThemisItem& item, const SeedPath& seed) {
  const PanelSize size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  AWRY_TRY_ASSIGN(const Painted panel,
                  paint_source(item, "panel", size, seed.child("panel"), seed.child("style")));
  const DuplicationPlan plan =
      item.plan.duplication.value_or(plan_global_duplication(seed.child("plan").stream()));
  auto pair = duplicate_globally(panel.image, plan, seed.child("duplicate"));
  if (!pair) return Rejection(pair.error().message());
  take_pair(item, std::move(*pair), seed.child("order").stream());
  return Rejection();
}

Result<Rejection> try_local_duplicate(ThemisItem& item, const SeedPath& seed) {
  constexpr double kPictureSides = 1.75;  // room for two panels that share less than half
  constexpr int kMinPictureSide = 350;    // THEMIS cuts no smaller panels
  PanelSize panel = random_shape(item.plan.panel_side, seed.child("shape").stream());
  const auto side = [&](int of_panel) {
    return std::max(kMinPictureSide, static_cast<int>(std::lround(of_panel * kPictureSides)));
  };
  PanelSize size{side(panel.width), side(panel.height)};
  // A picture of the pool keeps its shape, so its shorter side needs room too.
  if (item.plan.pool != nullptr) size = {std::max(size.width, 2 * kMinPictureSide), size.height};
  AWRY_TRY_ASSIGN(const Painted picture,
                  paint_source(item, "picture", size, seed.child("picture"), seed.child("style")));
  if (item.plan.pool != nullptr) {
    if (std::min(picture.image.width, picture.image.height) < kMinPictureSide) {
      ++item.tally["below_350x350"];
      return Rejection("the picture has less than 350x350 pixels");
    }
    panel = {static_cast<int>(picture.image.width / kPictureSides),
             static_cast<int>(picture.image.height / kPictureSides)};
  }
  const DuplicationPlan plan =
      item.plan.duplication.value_or(plan_local_duplication(seed.child("plan").stream()));
  auto pair = duplicate_locally(picture.image, panel.width, panel.height, plan, seed.child("duplicate"));
  if (!pair) {
    ++item.tally["no_room_for_two_windows"];
    return Rejection(pair.error().message());
  }
  for (const Operation& operation : pair->recipe.operations) {
    if (operation.name.starts_with("crop_") && window_cuts(operation, picture.annotations)) {
      ++item.tally["cuts_annotation"];
      return Rejection("a window cuts through a scale bar or label");
    }
  }
  if (item.plan.quality.max_blank_share < 1 &&
      blank_share(pair->first, pair->shared_in_first) > item.plan.quality.max_blank_share) {
    ++item.tally["blank_area"];
    return Rejection("what the windows share is blank");
  }
  take_pair(item, std::move(*pair), seed.child("order").stream());
  return Rejection();
}

}  // namespace awry::forge
