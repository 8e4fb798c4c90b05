// SPDX-License-Identifier: Apache-2.0
// Splices: the pool knows its similar pairs; of painted donors the most similar one is used.
#include <cstdlib>
#include <utility>

#include "awry/forge/compose.h"
#include "awry/forge/item_panels.h"
#include "awry/forge/item_sources.h"
#include "awry/forge/similarity.h"
#include "awry/forge/source_pool.h"
#include "awry/forge/splice.h"
#include "awry/forge/themis_tries.h"

namespace awry::forge {
namespace {

// What makes a splice believable depends on what a panel shows: bars stand where bars stood, a patch of
// tissue lies where the other body has the same organ, and bands are small.
SpliceOptions splice_options(PanelKind kind) {
  switch (kind) {
    case PanelKind::kDiagram:
    case PanelKind::kTable:
    case PanelKind::kScreenshot:
      return {.min_area = 0.015, .max_area = 0.40, .max_shift_x = 0, .max_shift_y = 0, .min_change = 3};
    case PanelKind::kPhysicalObject:
      return {.min_area = 0.015, .max_area = 0.25, .max_shift_x = 0.04, .max_shift_y = 0.04};
    case PanelKind::kChart:
    case PanelKind::kScatterPlot:
      return {.max_shift_x = 0, .max_shift_y = 0};
    case PanelKind::kMedicalScan:
      return {.max_area = 0.25, .max_shift_x = 0.02, .max_shift_y = 0.02};
    case PanelKind::kBlot:
      return {.min_area = 0.015, .max_area = 0.25};
    case PanelKind::kMicrograph:
    case PanelKind::kStainedMicrograph:
      return {.max_area = 0.40};
  }
  std::abort();
}

// A window of a drawing is mostly paper on paper: the truth is what changed, and not where scissors went.
Result<Rejection> take_splice(ThemisItem& item, Splice splice, const imaging::Image& host,
                              Operation pair_search) {
  const imaging::Bitmap changed = changed_pixels(host, splice.image);
  item.letters = "A";
  item.recipe = std::move(splice.recipe);
  item.recipe.operations.insert(item.recipe.operations.begin(), std::move(pair_search));
  item.transform = splice.host_from_donor;
  item.truth = std::move(splice.truth);
  item.truth->where = imaging::mask_from_bitmap(changed);
  add_panel(item, "", std::move(splice.image));
  return lay_grid(item, &changed);
}

// The pool knows its most similar pairs; each is used in both directions, by items that follow each other.
Result<Rejection> try_splice_from_pool(ThemisItem& item, const SeedPath& seed) {
  const auto pairs = item.plan.pool->pairs();
  if (pairs.empty()) return Rejection("the pool has no two different pictures");
  const std::size_t rank = (item.plan.draw / 2 + item.rejected.size() * 7) % pairs.size();
  const SimilarPair& pair = pairs[rank];
  const bool backwards = item.plan.draw % 2 == 1;
  AWRY_TRY_ASSIGN(const Painted host,
                  load_source(item, "host", backwards ? pair.first : pair.second, item.plan.panel_side));
  AWRY_TRY_ASSIGN(const Painted donor,
                  load_source(item, "donor", backwards ? pair.second : pair.first, item.plan.panel_side));
  auto splice = forge_splice({donor.image, donor.annotations}, {host.image, host.annotations},
                             seed.child("splice"), {.quality = item.plan.quality, .tally = &item.tally});
  if (!splice) return Rejection(splice.error().message());
  return take_splice(item, std::move(*splice), host.image,
                     {"pair_search", {{"rank", static_cast<double>(rank)}, {"similarity", pair.score}}});
}

}  // namespace

Result<Rejection> try_splice(ThemisItem& item, const SeedPath& seed) {
  if (item.plan.pool != nullptr) return try_splice_from_pool(item, seed);
  const PanelSize size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  AWRY_TRY_ASSIGN(const Painted host,
                  paint_source(item, "host", size, seed.child("host"), seed.child("style")));
  const PanelSignature host_signature = signature_of(host.image);
  std::optional<Painted> donor;
  ItemSource donor_source;
  int chosen = 0;
  double best = -1;
  for (int i = 0; i < item.plan.donor_candidates; ++i) {
    const SeedPath donor_seed = seed.child("donor").child(static_cast<std::uint64_t>(i));
    AWRY_TRY_ASSIGN(Painted candidate, paint_source(item, "donor", size, donor_seed, seed.child("style")));
    ItemSource source = std::move(item.sources.back());
    item.sources.pop_back();
    const double score = similarity(host_signature, signature_of(candidate.image)).total();
    if (score <= best) continue;
    best = score, chosen = i, donor = std::move(candidate), donor_source = std::move(source);
  }
  item.sources.push_back(std::move(donor_source));
  SpliceOptions options = splice_options(item.plan.kind);
  options.quality = item.plan.quality, options.tally = &item.tally;
  options.drawn = is_drawn(item.plan.kind);
  if (options.drawn) options.feather_px = 0;  // ink has hard edges, and half of a line would show
  // Drawn panels are blank for the most part, and so is what they are forged with.
  if (is_drawn(item.plan.kind)) options.quality.max_blank_share = QualityLimits{}.max_blank_share;
  auto splice = forge_splice({donor->image, donor->annotations}, {host.image, host.annotations},
                             seed.child("splice"), options);
  if (!splice) return Rejection(splice.error().message());
  return take_splice(item, std::move(*splice), host.image,
                     {"pair_search",
                      {{"candidates", static_cast<double>(item.plan.donor_candidates)},
                       {"chosen", static_cast<double>(chosen)},
                       {"similarity", best}}});
}

}  // namespace awry::forge
