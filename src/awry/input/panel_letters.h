// SPDX-License-Identifier: Apache-2.0
// The letters that name panels, "A" above a plot or a white "b" in the corner of a photograph. Read as a part
// of the whole figure a letter alone is nearly always lost; so what looks like one near a panel's corner is
// cut out, all of it is put into one line, black on white, and that line is read.
#pragma once

#include <span>
#include <vector>

#include "awry/base/result.h"
#include "awry/imaging/image.h"
#include "awry/input/panel_cutting.h"
#include "awry/reading/lettering.h"

namespace awry::input {

// Words of one letter, in pixels of the figure. kNotFound when tesseract is not installed.
Result<std::vector<reading::Word>> read_panel_letters(const imaging::Image& figure,
                                                      std::span<const Panel> panels);

// What name_panels should be told: these letters first, then all words of the figure.
Result<std::vector<reading::Word>> words_for_naming(const imaging::Image& figure,
                                                    std::span<const Panel> panels);

}  // namespace awry::input
