// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "awry/parse/box_numbers.h"

namespace awry::parse {
namespace {

constexpr std::string_view kThing = "box";

struct Corners {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  bool has_size() const { return x2 > x1 && y2 > y1; }
};

Corners corners_of(const std::array<double, 4>& v, BoxLayout layout) {
  if (layout == BoxLayout::kCorners) return {v[0], v[1], v[2], v[3]};
  return {v[0], v[1], v[0] + v[2], v[1] + v[3]};
}

struct Extent {
  double width = 0, height = 0;
};

Extent extent_of(BoxFrame frame, const BoxRules& rules) {
  switch (frame) {
    case BoxFrame::kPixels:
      return {static_cast<double>(rules.width), static_cast<double>(rules.height)};
    case BoxFrame::kUnit:
      return {1, 1};
    case BoxFrame::kPercent:
      return {100, 100};
    case BoxFrame::kThousand:
      return {1000, 1000};
  }
  return {};
}

// Models overshoot the edge by a pixel or so; that alone must not make a pixel box a 0-1000 one.
bool lies_inside(const Corners& box, Extent extent) {
  const double slack_x = std::max(0.01 * extent.width, extent.width > 1 ? 1.0 : 0.0);
  const double slack_y = std::max(0.01 * extent.height, extent.height > 1 ? 1.0 : 0.0);
  return box.x1 >= -slack_x && box.y1 >= -slack_y && box.x2 <= extent.width + slack_x &&
         box.y2 <= extent.height + slack_y;
}

Corners to_pixels(const Corners& box, Extent extent, const BoxRules& rules) {
  const double sx = rules.width / extent.width, sy = rules.height / extent.height;
  return {box.x1 * sx, box.y1 * sy, box.x2 * sx, box.y2 * sy};
}

Corners cut_to_image(const Corners& box, const BoxRules& rules) {
  return {std::clamp(box.x1, 0.0, 1.0 * rules.width), std::clamp(box.y1, 0.0, 1.0 * rules.height),
          std::clamp(box.x2, 0.0, 1.0 * rules.width), std::clamp(box.y2, 0.0, 1.0 * rules.height)};
}

bool allows(const BoxRules& rules, BoxFrame frame) {
  return std::ranges::find(rules.frames, frame) != rules.frames.end();
}

class BoxResolver {
 public:
  BoxResolver(const FourNumbers& numbers, const BoxRules& rules, std::string_view reply)
      : numbers_(numbers), rules_(rules), reply_(reply) {}

  Result<Parsed<FramedBox>> resolve() {
    if (!std::ranges::all_of(numbers_.values, [](double v) { return std::isfinite(v); })) {
      return unparsable(kThing, reply_, "a coordinate is not a finite number");
    }
    if (!choose_layout()) return unparsable(kThing, reply_, "its width or height is not above 0");
    if (!choose_frame()) return unparsable(kThing, reply_, "it lies outside the image");
    FramedBox& framed = parsed_.value;
    const Corners pixels = to_pixels(corners_, extent_of(framed.frame, rules_), rules_);
    const Corners cut = cut_to_image(pixels, rules_);
    if (!cut.has_size()) return unparsable(kThing, reply_, "it lies outside the image");
    const bool was_cut =
        cut.x1 != pixels.x1 || cut.y1 != pixels.y1 || cut.x2 != pixels.x2 || cut.y2 != pixels.y2;
    if (was_cut) parsed_.tolerate("a box reaches beyond the image and is cut to it");
    framed.box = {.x = cut.x1, .y = cut.y1, .width = cut.x2 - cut.x1, .height = cut.y2 - cut.y1};
    // Subtraction may lose a sliver far from the origin.
    if (!(framed.box.width > 0 && framed.box.height > 0)) {
      return unparsable(kThing, reply_, "its width or height is not above 0");
    }
    return std::move(parsed_);
  }

 private:
  bool choose_layout() {
    const std::vector<BoxLayout> layouts =
        numbers_.layout ? std::vector<BoxLayout>{*numbers_.layout} : rules_.layouts;
    for (BoxLayout layout : layouts) {
      corners_ = corners_of(numbers_.values, layout);
      if (!corners_.has_size()) continue;
      parsed_.value.layout = layout;
      if (layout != layouts.front()) {
        parsed_.tolerate(
            fmt::format("read as {}, since {} has no size", name_of(layout), name_of(layouts.front())));
      }
      return true;
    }
    return false;
  }

  bool choose_frame() {
    BoxFrame& frame = parsed_.value.frame;
    if (numbers_.frame) {
      frame = *numbers_.frame;
      return true;
    }
    const bool up_to_one = lies_inside(corners_, {1, 1});
    if (up_to_one && allows(rules_, BoxFrame::kUnit)) {
      frame = BoxFrame::kUnit;
      // A box of one whole pixel is written with the same numbers as the whole image.
      if (!numbers_.has_fraction && rules_.frames.size() > 1)
        parsed_.tolerate("whole numbers up to 1 taken as 0-1");
      return true;
    }
    bool chosen = false;
    for (BoxFrame candidate : rules_.frames) {
      if (candidate == BoxFrame::kUnit || !lies_inside(corners_, extent_of(candidate, rules_))) continue;
      if (!chosen) {
        frame = candidate;
        chosen = true;
      } else {
        parsed_.tolerate(
            fmt::format("box taken as {}; {} would fit too", name_of(frame), name_of(candidate)));
      }
    }
    if (chosen) return true;
    for (BoxFrame candidate : rules_.frames) {
      const Corners pixels = to_pixels(corners_, extent_of(candidate, rules_), rules_);
      if (!cut_to_image(pixels, rules_).has_size()) continue;
      frame = candidate;
      return true;
    }
    return false;
  }

  const FourNumbers& numbers_;
  const BoxRules& rules_;
  std::string_view reply_;
  Corners corners_;
  Parsed<FramedBox> parsed_;
};

}  // namespace

std::string_view name_of(BoxFrame frame) {
  switch (frame) {
    case BoxFrame::kPixels:
      return "pixels";
    case BoxFrame::kUnit:
      return "0-1";
    case BoxFrame::kPercent:
      return "percent";
    case BoxFrame::kThousand:
      return "0-1000";
  }
  return "";
}

std::string_view name_of(BoxLayout layout) {
  return layout == BoxLayout::kCorners ? "xyxy" : "xywh";
}

Result<Parsed<std::vector<FramedBox>>> read_boxes(std::string_view reply, const BoxRules& rules) {
  if (rules.width <= 0 || rules.height <= 0)
    return unparsable(kThing, reply, "the size of the image is unknown");
  AWRY_TRY_ASSIGN(const Parsed<std::vector<FourNumbers>> found, four_numbers_in(reply));
  Parsed<std::vector<FramedBox>> boxes;
  boxes.tolerate_all(found.tolerated);
  for (const FourNumbers& numbers : found.value) {
    AWRY_TRY_ASSIGN(Parsed<FramedBox> box, BoxResolver(numbers, rules, reply).resolve());
    boxes.value.push_back(box.value);
    boxes.tolerate_all(box.tolerated);
  }
  return boxes;
}

Result<Parsed<FramedBox>> read_box(std::string_view reply, const BoxRules& rules) {
  AWRY_TRY_ASSIGN(Parsed<std::vector<FramedBox>> boxes, read_boxes(reply, rules));
  if (boxes.value.size() != 1) {
    return unparsable(kThing, reply,
                      fmt::format("it holds {} boxes where one is asked for", boxes.value.size()));
  }
  return Parsed<FramedBox>{boxes.value[0], std::move(boxes.tolerated)};
}

}  // namespace awry::parse
