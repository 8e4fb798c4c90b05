// SPDX-License-Identifier: Apache-2.0
// Pages that are pictures of pages: their words are read from the rendering.
#pragma once

#include <span>

#include "awry/base/result.h"
#include "awry/input/pdf_document.h"

namespace awry::input {

// Hardly a word, and one picture over most of the page.
bool looks_scanned(const PdfPage& page, std::span<const EmbeddedPicture> pictures);

// Fills in the page's blocks and marks it as scanned.
Result<void> read_scanned_page(const PdfDocument& document, PdfPage& page);

}  // namespace awry::input
