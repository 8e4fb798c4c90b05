// SPDX-License-Identifier: Apache-2.0
// A figure -> its panels, by looking at blank space, thin separators and seams between touching pictures.
//
//   ink (what differs from the paper) -> connected pieces -> bodies: plots, photographs, drawings
//   bodies that are solid are cut further at thin lines and at seams
//   the rest (axis labels, titles, panel letters) joins the body it stands nearest to
#pragma once

#include <span>
#include <string>
#include <vector>

#include "awry/imaging/image.h"
#include "awry/reading/lettering.h"
#include "awry/records/region.h"

namespace awry::input {

struct Panel {
  Box box;             // in pixels of the figure
  std::string letter;  // "a"; empty when none was read
  bool operator==(const Panel&) const = default;
};

// In reading order: row by row, left to right. At least one for any image that is not empty: a figure in
// which no boundary is seen is one panel.
std::vector<Panel> cut_panels(const imaging::Image& figure);

// Letters that stand alone among the words ("A", "(b)") tell panels apart: they name them, and where two
// stand in one panel it is cut between them. Panels between two letters belong to the earlier one.
void name_panels(const imaging::Image& figure, std::span<const reading::Word> words,
                 std::vector<Panel>& panels);

}  // namespace awry::input
