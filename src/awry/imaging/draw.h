// SPDX-License-Identifier: Apache-2.0
// Drawing findings onto images: for reports, and for prompts that show a model numbered marks.
//
// Everything draws in place and turns the image into RGB first. Lines and letters carry a dark rim, so
// that they stay readable on light and on dark ground. What lies outside the image is cut off.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "awry/base/result.h"
#include "awry/imaging/block_grid.h"
#include "awry/imaging/image.h"
#include "awry/records/region.h"

namespace awry::imaging {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  bool operator==(const Colour&) const = default;
};

inline constexpr Colour kFoundColour{255, 96, 0};   // what was reported
inline constexpr Colour kTruthColour{0, 200, 120};  // what is so

// Distinguishable also by most colour-blind people; repeats after 8.
Colour series_colour(std::size_t index);

struct BoxStyle {
  Colour colour = kFoundColour;
  int thickness = 0;       // 0: chosen from the image size
  std::string_view label;  // beside the top left corner; empty: none
};
void draw_box(Image& image, const Box& box, const BoxStyle& style = {});

// Set-of-marks: each box in its own colour, numbered from 1 in the given order.
void draw_marks(Image& image, std::span<const Box> boxes);

struct LabelStyle {
  Colour colour = {255, 255, 255};
  Colour background = {24, 24, 24};
  double scale = 0;  // 0: chosen from the image size
};
// Top left corner at (x, y), moved inwards to stay visible. Letters outside ASCII are shown as '?'.
void draw_label(Image& image, int x, int y, std::string_view text, const LabelStyle& style = {});

struct MaskStyle {
  Colour colour = kFoundColour;
  double opacity = 0.35;  // of the tint; 0: only the outline
  bool outline = true;
};
// Fails when the mask is damaged or of another size than the image.
Result<void> draw_mask(Image& image, const Mask& mask, const MaskStyle& style = {});
Result<void> draw_bitmap(Image& image, const Bitmap& bitmap, const MaskStyle& style = {});

void draw_grid(Image& image, const BlockGrid& grid, const Colour& colour = {255, 255, 255});
// Tints the blocks and draws the grid around them.
Result<void> draw_blocks(Image& image, const BlockSet& blocks, const MaskStyle& style = {});

struct HeatStyle {
  double opacity = 0.5;
  std::optional<float> low,
      high;  // the values at both ends of the scale; default: smallest and largest finite
};
// Dark violet over red to pale yellow, rising evenly in lightness. NaN is left out (no tint, or black).
Image heat_map_image(const FloatMap& map, const HeatStyle& style = {});
// The map is resized to the image when their sizes differ.
void draw_heat_map(Image& image, const FloatMap& map, const HeatStyle& style = {});
Colour heat_colour(double share);  // 0 to 1

// Left to right, aligned at the top, on `background`.
Image side_by_side(std::span<const Image> images, int gap = 8, const Colour& background = {255, 255, 255});

}  // namespace awry::imaging
