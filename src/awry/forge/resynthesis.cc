// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/resynthesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <opencv2/photo.hpp>

#include "awry/forge/brushes.h"
#include "awry/forge/compose.h"
#include "awry/forge/objects.h"

namespace awry::forge {
namespace {

constexpr int kMostGrain = 16;  // grey levels

// The panel less its blur: what diffusion cannot bring back. Taken from a place outside the region, so that
// the filling has the grain of this panel and no other.
cv::Mat grain_of(const cv::Mat& panel) {
  cv::Mat smooth, wide, difference;
  cv::GaussianBlur(panel, smooth, {}, 2);
  panel.convertTo(wide, CV_16SC3);
  smooth.convertTo(smooth, CV_16SC3);
  cv::subtract(wide, smooth, difference);
  return difference;
}

imaging::Image filled_in(const imaging::Image& panel, const imaging::Bitmap& mask, double radius_px, int dx,
                         int dy) {
  const cv::Mat1b hole(mask.height, mask.width, const_cast<std::uint8_t*>(mask.bits.data()));
  cv::Mat filled, wide;
  cv::inpaint(imaging::as_mat(panel), hole, filled, radius_px, cv::INPAINT_TELEA);
  const cv::Mat grain = grain_of(imaging::as_mat(panel));
  imaging::Image result = panel;
  for (int y = 0; y < panel.height; ++y) {
    for (int x = 0; x < panel.width; ++x) {
      if (mask.at(x, y) == 0) continue;
      const cv::Vec3s& step = grain.at<cv::Vec3s>((y + dy) % panel.height, (x + dx) % panel.width);
      const cv::Vec3b& base = filled.at<cv::Vec3b>(y, x);
      // Only grain: an edge of whatever lies there would shine through.
      for (int c = 0; c < 3; ++c) {
        const int grain_step = std::clamp<int>(step[c], -kMostGrain, kMostGrain);
        result.at(x, y)[c] = cv::saturate_cast<std::uint8_t>(base[c] + grain_step);
      }
    }
  }
  return result;
}

}  // namespace

Result<Resynthesis> forge_resynthesis(const imaging::Image& panel, std::span<const Box> keep_clear,
                                      const SeedPath& seed, const ResynthesisOptions& options) {
  const RandomStream random = seed.stream();
  const ObjectOptions wanted{.min_area = options.min_area, .max_area = options.max_area};
  const auto objects = find_objects(panel, keep_clear, wanted, random.fork("objects"));
  for (std::size_t i = 0; i < objects.size(); ++i) {
    RandomStream place = random.fork("grain").fork(i);
    const int dx = place.integer(panel.width / 4, panel.width * 3 / 4);
    const int dy = place.integer(panel.height / 4, panel.height * 3 / 4);
    imaging::Image image = filled_in(panel, objects[i].mask, options.radius_px, dx, dy);
    if (mean_change(panel, image, objects[i].mask) < options.min_change) {
      if (options.tally != nullptr) ++(*options.tally)["change_too_small"];
      continue;
    }
    return Resynthesis{
        .image = std::move(image),
        .mask = objects[i].mask,
        .truth = {.where = imaging::mask_from_bitmap(objects[i].mask),
                  .type = "resynthesis",
                  .by = {.kind = AuthorKind::kForger, .name = "forge/resynthesis", .version = "1"}},
        .recipe = {
            .seed = seed,
            .operations = {objects[i].found_by,
                           {"inpaint_telea", {{"radius_px", options.radius_px}}},
                           {"grain", {{"dx", static_cast<double>(dx)}, {"dy", static_cast<double>(dy)}}}}}};
  }
  return fail({.what = "cannot resynthesise a region",
               .why = fmt::format("none of {} candidate regions changes visibly", objects.size())});
}

}  // namespace awry::forge
