// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/splice.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "awry/forge/compose.h"
#include "awry/forge/objects.h"
#include "awry/imaging/resize.h"

namespace awry::forge {
namespace {

// (dx, dy) such that the object stays inside; the place it has in the donor is always possible.
std::pair<int, int> gentle_shift(const imaging::Bitmap& mask, const SpliceOptions& options,
                                 RandomStream& random) {
  int left = mask.width, top = mask.height, right = 0, bottom = 0;
  for (int y = 0; y < mask.height; ++y) {
    for (int x = 0; x < mask.width; ++x) {
      if (mask.at(x, y) == 0) continue;
      left = std::min(left, x), right = std::max(right, x + 1);
      top = std::min(top, y), bottom = std::max(bottom, y + 1);
    }
  }
  const int reach_x = static_cast<int>(options.max_shift_x * mask.width),
            reach_y = static_cast<int>(options.max_shift_y * mask.height);
  return {std::clamp(random.integer(-reach_x, reach_x), -left, mask.width - right),
          std::clamp(random.integer(-reach_y, reach_y), -top, mask.height - bottom)};
}

}  // namespace

Result<Splice> forge_splice(const SpliceSource& donor, const SpliceSource& host, const SeedPath& seed,
                            const SpliceOptions& options) {
  constexpr int kPlacesPerObject = 6;
  const imaging::Resized fitted = imaging::resize_direct(donor.image, host.image.width, host.image.height);
  std::vector<Box> donor_clear;
  for (const Box& box : donor.keep_clear)
    donor_clear.push_back(imaging::map_box(box, fitted.image_from_original));

  const RandomStream random = seed.stream();
  const bool whole_lines = options.drawn && options.quality.max_breaks < 1e9;
  const ObjectOptions wanted{.min_area = options.min_area,
                             .max_area = options.max_area,
                             .drawn = options.drawn,
                             .host = whole_lines ? &host.image : nullptr};
  const auto objects = find_objects(fitted.image, donor_clear, wanted, random.fork("objects"));
  const bool can_move = options.max_shift_x > 0 || options.max_shift_y > 0;
  std::optional<Splice> best;  // of a drawing: ink that ends at the edge of a window shows more than anything
  double best_seam = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    RandomStream place = random.fork("place").fork(i);
    for (int attempt = 0; attempt < (can_move ? kPlacesPerObject : 1); ++attempt) {
      const auto [dx, dy] = gentle_shift(objects[i].mask, options, place);
      const imaging::Bitmap mask = shifted(objects[i].mask, dx, dy);
      const auto turned_away = [&](const char* reason) {
        if (options.tally != nullptr) ++(*options.tally)[reason];
      };
      if (std::ranges::any_of(host.keep_clear, [&](const Box& box) { return touches(mask, box); })) {
        turned_away("overlaps_annotation");
        continue;
      }
      imaging::Image image = paste(host.image, shifted(fitted.image, dx, dy), mask, options.feather_px);
      if (mean_change(host.image, image, mask) < options.min_change) {
        turned_away("change_too_small");
        continue;
      }
      const bool needs_seam = options.drawn || options.quality.max_seam < 1e9;
      double seam = needs_seam ? seam_visibility(image, mask) : 0;
      if (seam > options.quality.max_seam) {
        turned_away("visible_seam");
        continue;
      }
      if (whole_lines && (seam = seam_breaks(host.image, image, mask)) > options.quality.max_breaks) {
        turned_away("broken_lines");
        continue;
      }
      if (options.quality.max_blank_share < 1 && blank_share(image, mask) > options.quality.max_blank_share) {
        turned_away("blank_area");
        continue;
      }
      Transform host_from_donor = fitted.image_from_original;
      host_from_donor[2] += dx, host_from_donor[5] += dy;
      Recipe recipe{.seed = seed,
                    .operations = {{"resize_donor",
                                    {{"width", static_cast<double>(host.image.width)},
                                     {"height", static_cast<double>(host.image.height)}}},
                                   objects[i].found_by,
                                   {"splice",
                                    {{"dx", static_cast<double>(dx)},
                                     {"dy", static_cast<double>(dy)},
                                     {"feather_px", static_cast<double>(options.feather_px)}}}}};
      Finding truth{.where = imaging::mask_from_bitmap(mask),
                    .type = "splicing",
                    .by = {.kind = AuthorKind::kForger, .name = "forge/splice", .version = "1"}};
      Splice splice{.image = std::move(image),
                    .mask = mask,
                    .host_from_donor = host_from_donor,
                    .truth = std::move(truth),
                    .recipe = std::move(recipe)};
      if (!options.drawn) return splice;
      if (best && best_seam <= seam) continue;
      best = std::move(splice), best_seam = seam;
    }
  }
  if (best) return std::move(*best);
  return fail({.what = "cannot plant a splice",
               .why = fmt::format("none of {} candidate objects of the donor fits the {}x{} host visibly",
                                  objects.size(), host.image.width, host.image.height),
               .hint = "Choose another pair of panels, or allow smaller objects."});
}

}  // namespace awry::forge
