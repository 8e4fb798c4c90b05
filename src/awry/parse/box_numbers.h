// SPDX-License-Identifier: Apache-2.0
// The four numbers of each box in a reply, before anybody asks what they mean.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "awry/parse/boxes.h"

namespace awry::parse {

struct FourNumbers {
  std::array<double, 4> values{};
  bool has_fraction = false;        // at least one is not whole
  std::optional<BoxLayout> layout;  // when keys say so
  std::optional<BoxFrame> frame;    // when % signs say so
};

// In JSON of any looseness ([..4..], [[x,y],[x,y]], objects with the usual keys, strings of four numbers), or
// as the only four numbers of a text, with nothing but box words (x1, top, width, and ...) between them.
// Under the key "box_2d", where Gemini is taught to write y before x, they are brought into the usual order,
// and noted. Never empty.
Result<Parsed<std::vector<FourNumbers>>> four_numbers_in(std::string_view reply);

}  // namespace awry::parse
