// SPDX-License-Identifier: Apache-2.0
// AI-generated panels. Whole ones replace a panel that was only painted to say what to ask for; regions are
// asked for in place and pasted back, since models like to touch pixels they were told to leave alone.
#include <fmt/format.h>

#include <utility>

#include "awry/forge/compose.h"
#include "awry/forge/generation_archive.h"
#include "awry/forge/item_panels.h"
#include "awry/forge/item_sources.h"
#include "awry/forge/objects.h"
#include "awry/forge/themis_tries.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/resize.h"

namespace awry::forge {
namespace {

constexpr int kFeather = 3;              // pixels
constexpr double kMinChange = 5;         // grey levels
constexpr double kLeastSharpness = 0.1;  // of that of the panel replaced

std::string thing_shown(const ThemisItem& item) {
  return item.plan.pool != nullptr ? "panel of a scientific figure"
                                   : std::string(name_of(item.plan.kind)) + " of a scientific figure";
}

std::string whole_prompt(const ThemisItem& item, const Painted& panel) {
  if (panel.caption.empty())
    return fmt::format("A new {}, of the same kind and style as this one but of another specimen.",
                       thing_shown(item));
  return fmt::format("A {}, without a frame and without a caption. It shows: {}", thing_shown(item),
                     panel.caption);
}

std::string region_prompt(const ThemisItem& item) {
  return fmt::format(
      "This is a {}. Fill the marked region with other content of the same kind, so that nobody can see "
      "where "
      "it begins: same light, grain, sharpness and scale. Leave everything else as it is.",
      thing_shown(item));
}

struct Reply {
  imaging::Image image;  // RGB, of the size asked for
  std::string given_up;  // not empty: the reason there is no image
};

Result<Reply> ask(ThemisItem& item, const GenerationRequest& request) {
  AWRY_TRY_ASSIGN(const ArchivedGeneration reply, item.plan.archive->generate(request));
  item.generated.push_back(reply.path);
  item.prompt = request.prompt;
  if (!reply.generation.refusal.empty()) {
    ++item.tally["refused_by_generator"];
    return Reply{.given_up = reply.generation.refusal};
  }
  const auto image = imaging::decode_image(reply.generation.bytes, reply.path);
  if (!image) {
    ++item.tally["unreadable_generation"];
    return Reply{.given_up = image.error().message()};
  }
  return Reply{.image = imaging::resize_direct(imaging::to_rgb(*image), request.width, request.height).image};
}

Finding ai_truth(const ThemisItem& item, Where where) {
  return {.where = std::move(where),
          .type = "ai_generated",
          .by = {.kind = AuthorKind::kForger, .name = item.plan.archive->identity()}};
}

}  // namespace

Result<Rejection> try_ai_whole(ThemisItem& item, const SeedPath& seed) {
  const PanelSize size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  AWRY_TRY_ASSIGN(const Painted panel,
                  paint_source(item, "panel", size, seed.child("panel"), seed.child("style")));
  // A caption says what to paint; a picture without one has to be shown.
  AWRY_TRY_ASSIGN(Reply reply, ask(item, {.prompt = whole_prompt(item, panel),
                                          .picture = panel.caption.empty() ? &panel.image : nullptr,
                                          .width = panel.image.width,
                                          .height = panel.image.height,
                                          .occasion = seed.text()}));
  if (!reply.given_up.empty()) return Rejection(reply.given_up);
  if (sharpness(reply.image) < kLeastSharpness * sharpness(panel.image)) {
    ++item.tally["too_blurred"];
    return Rejection("what was generated is blurred or blank");
  }
  item.letters = "C";
  item.recipe = {.seed = seed, .operations = {{"generate_panel", {}}}};
  item.truth = ai_truth(item, WholeImage{});
  add_panel(item, "", std::move(reply.image));
  return lay_grid(item, nullptr);
}

Result<Rejection> try_ai_region(ThemisItem& item, const SeedPath& seed) {
  const PanelSize size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  AWRY_TRY_ASSIGN(const Painted panel,
                  paint_source(item, "panel", size, seed.child("panel"), seed.child("style")));
  const auto objects = find_objects(panel.image, panel.annotations,
                                    {.min_area = 0.03, .max_area = 0.30, .drawn = is_drawn(item.plan.kind)},
                                    seed.child("objects").stream());
  if (objects.empty()) return Rejection("the panel has no region to replace");
  const Object& object = objects.front();  // asking costs money: one region a source
  AWRY_TRY_ASSIGN(const Reply reply, ask(item, {.prompt = region_prompt(item),
                                                .picture = &panel.image,
                                                .region = &object.mask,
                                                .width = panel.image.width,
                                                .height = panel.image.height,
                                                .occasion = seed.text()}));
  if (!reply.given_up.empty()) return Rejection(reply.given_up);
  imaging::Image forged = paste(panel.image, reply.image, object.mask, kFeather);
  if (mean_change(panel.image, forged, object.mask) < kMinChange) {
    ++item.tally["change_too_small"];
    return Rejection("what was generated looks like what was there");
  }
  if (seam_visibility(forged, object.mask) > item.plan.quality.max_seam) {
    ++item.tally["visible_seam"];
    return Rejection("the edge of the region shows");
  }
  item.letters = "C";
  item.recipe = {.seed = seed,
                 .operations = {object.found_by,
                                {"generate_region", {}},
                                {"paste", {{"feather_px", static_cast<double>(kFeather)}}}}};
  const imaging::Bitmap changed = changed_pixels(panel.image, forged);
  item.truth = ai_truth(item, imaging::mask_from_bitmap(changed));
  add_panel(item, "", std::move(forged));
  return lay_grid(item, &changed);
}

}  // namespace awry::forge
