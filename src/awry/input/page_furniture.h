// SPDX-License-Identifier: Apache-2.0
// Running heads, feet and page numbers: lines that stand at the same height of many pages and say the same
// but for their numbers. They are no part of figures and of no sentence.
#pragma once

#include <vector>

#include "awry/input/pdf_document.h"

namespace awry::input {

// Taken out of the blocks of the pages; their places are kept in PdfPage::furniture.
void set_furniture_aside(std::vector<PdfPage>& pages);

}  // namespace awry::input
