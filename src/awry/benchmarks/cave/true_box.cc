// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/cave/true_box.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace awry::benchmarks::cave {
namespace {

// The numbers of an object by its keys, in the order asked; nullopt when one is missing or no number.
std::optional<std::array<double, 4>> keyed(const Json& object, const std::array<const char*, 4>& keys) {
  std::array<double, 4> numbers{};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto field = object.find(keys[i]);
    if (field == object.end() || !field->is_number()) return std::nullopt;
    numbers[i] = field->get<double>();
  }
  return numbers;
}

}  // namespace

Result<Box> read_box(const JsonRow& row, const Json& value, const ImageRef& image, std::string_view layout) {
  std::array<double, 4> numbers{};
  bool corners = layout == "xyxy";
  if (value.is_object()) {
    const auto by_corners = keyed(value, {"x1", "y1", "x2", "y2"});
    const auto by_size = keyed(value, {"x", "y", "width", "height"});
    if (!by_corners && !by_size) {
      return row.error("the box has neither x1, y1, x2, y2 nor x, y, width, height as numbers");
    }
    corners = by_corners.has_value();
    numbers = corners ? *by_corners : *by_size;
  } else {
    const bool four = value.is_array() && value.size() == 4 &&
                      std::all_of(value.begin(), value.end(), [](const Json& v) { return v.is_number(); });
    if (!four) return row.error("the box is not four numbers");
    for (std::size_t i = 0; i < 4; ++i) numbers[i] = value[i].get<double>();
  }
  Box box{numbers[0], numbers[1], numbers[2], numbers[3]};
  if (corners) box.width -= box.x, box.height -= box.y;
  if (!(box.width > 0 && box.height > 0)) {
    return row.error(fmt::format("the box [{}] has no area", fmt::join(numbers, ", ")),
                     "Lists are read as x1, y1, x2, y2; boxes=xywh reads them as x, y, width, height.");
  }
  // Annotators draw to the rim, and half a pixel more.
  constexpr double kSlack = 1;
  const bool outside = box.x < -kSlack || box.y < -kSlack ||
                       (image.width > 0 && box.x + box.width > image.width + kSlack) ||
                       (image.height > 0 && box.y + box.height > image.height + kSlack);
  if (outside) {
    return row.error(fmt::format("the box [{}] leaves the image of {} x {}", fmt::join(numbers, ", "),
                                 image.width, image.height),
                     "Lists are read as x1, y1, x2, y2; boxes=xywh reads them as x, y, width, height.");
  }
  return box;
}

}  // namespace awry::benchmarks::cave
