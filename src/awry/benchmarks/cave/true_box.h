// SPDX-License-Identifier: Apache-2.0
// A box that people or tools wrote down, as opposed to what a model says (parse/boxes.h).
#pragma once

#include <string_view>

#include "awry/base/json.h"
#include "awry/base/result.h"
#include "awry/benchmarks/cave/json_rows.h"
#include "awry/records/region.h"
#include "awry/records/sample.h"

namespace awry::benchmarks::cave {

// Four numbers in `layout` (xyxy | xywh), or an object that says which is which. Errors: no area, or outside
// the image where its size is known.
Result<Box> read_box(const JsonRow& row, const Json& value, const ImageRef& image, std::string_view layout);

}  // namespace awry::benchmarks::cave
