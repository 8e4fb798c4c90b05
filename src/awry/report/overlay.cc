// SPDX-License-Identifier: Apache-2.0
#include "awry/report/overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "awry/imaging/encode.h"
#include "awry/imaging/mask.h"
#include "awry/imaging/resize.h"
#include "awry/report/markup.h"

namespace awry::report {
namespace {

constexpr std::uint8_t kNothing = 128;
constexpr double kPad = 0.08;  // of the shared place, so that its surroundings can be compared too

bool usable(const Transform& transform) {
  const bool finite = std::ranges::all_of(transform, [](double v) { return std::isfinite(v); });
  const double area = transform[0] * transform[4] - transform[1] * transform[3];
  return finite && std::abs(area) > 1e-6 && transform[8] != 0;
}

// The part of the first image that is worth looking at: the shared place, or all of it.
Box window_of(const imaging::Image& image, const Pair& pair) {
  const Box whole{0, 0, double(image.width), double(image.height)};
  if (!pair.in_first) return whole;
  const auto place = imaging::mask_bounding_box(*pair.in_first);
  if (!place || !*place || (*place)->width < 4 || (*place)->height < 4) return whole;
  const double pad = kPad * std::max((*place)->width, (*place)->height);
  const double x = std::clamp(std::floor((*place)->x - pad), 0.0, whole.width - 1);
  const double y = std::clamp(std::floor((*place)->y - pad), 0.0, whole.height - 1);
  return {x, y, std::min(whole.width - x, std::ceil((*place)->width + 2 * pad)),
          std::min(whole.height - y, std::ceil((*place)->height + 2 * pad))};
}

std::string picture(const imaging::Image& image, std::string_view alt, std::string_view name) {
  const auto jpeg = imaging::encode_jpeg(image, 82);
  if (!jpeg) return "";
  return fmt::format("<img class=\"{}\" width=\"{}\" height=\"{}\" alt=\"{}\" src=\"{}\">", name, image.width,
                     image.height, alt, data_url("image/jpeg", *jpeg));
}

}  // namespace

imaging::Image undo_transform(const imaging::Image& second, const Transform& second_from_first,
                              const Box& window) {
  const imaging::Image rgb = imaging::to_rgb(second);
  imaging::Image out(static_cast<int>(window.width), static_cast<int>(window.height), 3, kNothing);
  const Transform& t = second_from_first;
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      const double px = window.x + x, py = window.y + y;
      const double w = t[6] * px + t[7] * py + t[8];
      if (std::abs(w) < 1e-12) continue;
      const double sx = (t[0] * px + t[1] * py + t[2]) / w, sy = (t[3] * px + t[4] * py + t[5]) / w;
      if (!(sx >= 0 && sy >= 0 && sx <= rgb.width - 1 && sy <= rgb.height - 1)) continue;
      const int x0 = static_cast<int>(sx), y0 = static_cast<int>(sy);
      const int x1 = std::min(x0 + 1, rgb.width - 1), y1 = std::min(y0 + 1, rgb.height - 1);
      const double fx = sx - x0, fy = sy - y0;
      for (int c = 0; c < 3; ++c) {
        const double top = rgb.at(x0, y0)[c] * (1 - fx) + rgb.at(x1, y0)[c] * fx;
        const double low = rgb.at(x0, y1)[c] * (1 - fx) + rgb.at(x1, y1)[c] * fx;
        out.at(x, y)[c] = static_cast<std::uint8_t>(std::lround(top * (1 - fy) + low * fy));
      }
    }
  }
  return out;
}

std::string render_overlay(const imaging::Image& first, const imaging::Image& second, const Pair& pair,
                           int thumbnail_edge) {
  if (first.empty() || second.empty() || !pair.second_from_first || !usable(*pair.second_from_first))
    return "";
  const Box window = window_of(first, pair);
  constexpr Transform kItself = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const imaging::Image here =
      imaging::resize_long_edge(undo_transform(first, kItself, window), thumbnail_edge).image;
  const imaging::Image there =
      imaging::resize_long_edge(undo_transform(second, *pair.second_from_first, window), thumbnail_edge)
          .image;
  return fmt::format(
      "<figure class=\"overlay\"><label><input type=\"checkbox\"> side by side</label>"
      "<div class=\"pair\" style=\"--wide:{}px\">{}{}</div>"
      "<figcaption>The shared place, transform undone: what stays still is the same.</figcaption></figure>\n",
      here.width, picture(here, "first place", "here"),
      picture(there, "second place, transform undone", "there"));
}

}  // namespace awry::report
