// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/copy_move.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "awry/forge/compose.h"
#include "awry/forge/objects.h"

namespace awry::forge {
namespace {

struct Extent {
  int left, top, right, bottom;  // right and bottom excluded
  double centroid_x, centroid_y;
};

Extent extent_of(const imaging::Bitmap& mask) {
  Extent extent{mask.width, mask.height, 0, 0, 0, 0};
  double count = 0;
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      if (mask.at(x, y) == 0) continue;
      extent.left = std::min(extent.left, x), extent.right = std::max(extent.right, x + 1);
      extent.top = std::min(extent.top, y), extent.bottom = std::max(extent.bottom, y + 1);
      extent.centroid_x += x, extent.centroid_y += y, ++count;
    }
  }
  extent.centroid_x /= count, extent.centroid_y /= count;
  return extent;
}

struct Shift {
  int dx, dy;
};

// Every grid position at which the object stays inside, farthest from where it is first, each jittered.
std::vector<Shift> shifts_by_distance(const Extent& object, int width, int height, RandomStream random) {
  const int object_width = object.right - object.left, object_height = object.bottom - object.top;
  const int step = std::max(20, std::min(object_width, object_height) / 2);
  std::vector<Shift> shifts;
  for (int y = 0; y <= height - object_height; y += step) {
    for (int x = 0; x <= width - object_width; x += step) {
      const int jitter = std::max(1, step / 4);
      const int left = std::clamp(x + random.integer(-jitter, jitter), 0, width - object_width);
      const int top = std::clamp(y + random.integer(-jitter, jitter), 0, height - object_height);
      shifts.push_back({left - object.left, top - object.top});
    }
  }
  std::ranges::stable_sort(shifts, std::ranges::greater{},
                           [](const Shift& s) { return s.dx * s.dx + s.dy * s.dy; });
  return shifts;
}

std::optional<CopyMove> try_object(const imaging::Image& panel, const imaging::Bitmap& source,
                                   std::span<const Box> keep_clear, RandomStream random,
                                   const CopyMoveOptions& options) {
  const double object_area = static_cast<double>(area(source));
  for (const Shift& shift : shifts_by_distance(extent_of(source), panel.width, panel.height, random)) {
    const auto turned_away = [&](const char* reason) {
      if (options.tally != nullptr) ++(*options.tally)[reason];
    };
    const imaging::Bitmap target = shifted(source, shift.dx, shift.dy);
    if (static_cast<double>(common_area(source, target)) > options.max_self_overlap * object_area) {
      turned_away("overlaps_itself");
      continue;
    }
    if (std::ranges::any_of(keep_clear, [&](const Box& box) { return touches(target, box); })) {
      turned_away("overlaps_annotation");
      continue;
    }
    imaging::Image forged = paste(panel, shifted(panel, shift.dx, shift.dy), target, options.feather_px);
    if (mean_change(panel, forged, target) < options.min_change) {
      turned_away("change_too_small");
      continue;
    }
    if (options.quality.max_seam < 1e9 && seam_visibility(forged, target) > options.quality.max_seam) {
      turned_away("visible_seam");
      continue;
    }
    if (options.quality.max_blank_share < 1 &&
        blank_share(forged, target) > options.quality.max_blank_share) {
      turned_away("blank_area");
      continue;
    }
    return CopyMove{
        .image = std::move(forged), .source = source, .target = target, .dx = shift.dx, .dy = shift.dy};
  }
  return std::nullopt;
}

std::vector<Object> candidates(const imaging::Image& panel, std::span<const Box> keep_clear,
                               RandomStream random, const CopyMoveOptions& options) {
  const ObjectOptions wanted{.min_area = options.min_area, .max_area = options.max_area};
  if (options.object == nullptr) return find_objects(panel, keep_clear, wanted, random);
  const double share =
      static_cast<double>(area(*options.object)) / static_cast<double>(options.object->bits.size());
  if (share < options.min_area || share > options.max_area) {
    if (options.tally != nullptr) ++(*options.tally)["object_too_small_or_large"];
    return {};
  }
  return {{.mask = *options.object, .found_by = {"given_mask", {}}}};
}

}  // namespace

Result<CopyMove> forge_copy_move(const imaging::Image& panel, std::span<const Box> keep_clear,
                                 const SeedPath& seed, const CopyMoveOptions& options) {
  const RandomStream random = seed.stream();
  const auto objects = candidates(panel, keep_clear, random.fork("objects"), options);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    auto forged = try_object(panel, objects[i].mask, keep_clear, random.fork("place").fork(i), options);
    if (!forged) continue;
    const double dx = forged->dx, dy = forged->dy;
    forged->recipe = {
        .seed = seed,
        .operations = {objects[i].found_by,
                       {"copy_move",
                        {{"dx", dx}, {"dy", dy}, {"feather_px", static_cast<double>(options.feather_px)}}}}};
    forged->truth = {.where = Pair{.first_image = 0,
                                   .second_image = 0,
                                   .in_first = imaging::mask_from_bitmap(forged->source),
                                   .in_second = imaging::mask_from_bitmap(forged->target),
                                   .second_from_first = Transform{1, 0, dx, 0, 1, dy, 0, 0, 1},
                                   .operations = {"translation"}},
                     .type = "copy_move",
                     .by = {.kind = AuthorKind::kForger, .name = "forge/copy_move", .version = "1"}};
    return std::move(*forged);
  }
  return fail({.what = "cannot plant a copy-move",
               .why = fmt::format("none of {} candidate objects in the {}x{} panel has a free place to go",
                                  objects.size(), panel.width, panel.height),
               .hint = "Use a larger or less crowded panel, or allow smaller objects."});
}

}  // namespace awry::forge
