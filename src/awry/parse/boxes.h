// SPDX-License-Identifier: Apache-2.0
// Bounding boxes in whatever frame and layout a model chose, brought to pixels.
#pragma once

#include <string_view>
#include <vector>

#include "awry/parse/parsed.h"
#include "awry/records/region.h"

namespace awry::parse {

enum class BoxFrame { kPixels, kUnit, kPercent, kThousand };  // ends at width x height, 1, 100, 1000
enum class BoxLayout { kCorners, kCornerAndSize };            // x1 y1 x2 y2; x y width height

std::string_view name_of(BoxFrame frame);    // "pixels", "0-1", "percent", "0-1000"
std::string_view name_of(BoxLayout layout);  // "xyxy", "xywh"

struct BoxRules {
  int width = 0, height = 0;  // of the image, in pixels
  // What four bare numbers may mean, most likely first.
  std::vector<BoxFrame> frames = {BoxFrame::kPixels, BoxFrame::kUnit, BoxFrame::kThousand};
  std::vector<BoxLayout> layouts = {BoxLayout::kCorners};
};

struct FramedBox {
  Box box;  // pixels, inside the image, width and height above 0
  BoxFrame frame = BoxFrame::kPixels;
  BoxLayout layout = BoxLayout::kCorners;
};

// How a meaning is chosen; every choice that another frame could have claimed is noted in `tolerated`:
//   layout  keys decide ("x2" or "right" against "width"); bare numbers take the first layout of the rules
//           that gives a positive size
//   frame   % signs decide; numbers up to 1 are 0-1 where the rules allow it (noted when all are whole);
//           otherwise the first frame of the rules in which the box lies inside the image
//   clip    a box that fits no frame is cut to the image in the first frame where it overlaps it, and noted
// Unparsable: not four numbers, NaN or infinity, no positive size, no overlap with the image.
Result<Parsed<std::vector<FramedBox>>> read_boxes(std::string_view reply, const BoxRules& rules);

// As read_boxes, for a reply that must hold exactly one.
Result<Parsed<FramedBox>> read_box(std::string_view reply, const BoxRules& rules);

}  // namespace awry::parse
