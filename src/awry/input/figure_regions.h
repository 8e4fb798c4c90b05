// SPDX-License-Identifier: Apache-2.0
// Where on a page the figures are, and which words belong to them.
//
//   text blocks -> captions, running text, the rest (labels inside figures)
//   a caption's figure is what is drawn above it, else below it, else beside it, up to the running text, the
//   next caption or a figure that is already taken
#pragma once

#include <span>
#include <string>
#include <vector>

#include "awry/imaging/image.h"
#include "awry/input/figure_captions.h"
#include "awry/input/pdf_document.h"

namespace awry::input {

struct FigureRegion {
  std::string label, number;  // "Fig. 2", "2"; both empty for a picture without a caption
  std::string caption;        // with its label
  Box box, caption_box;       // in points
};

// Paragraphs rather than headings, labels and page numbers.
bool is_running_text(const TextBlock& block, const PdfPage& page);

// `picture` shows the whole page, one pixel a point. `pictures` are those embedded in this page: one that is
// shown large is a figure also without a caption.
std::vector<FigureRegion> find_figures(const PdfPage& page, const imaging::Image& picture,
                                       std::span<const CaptionBlock> captions,
                                       std::span<const EmbeddedPicture> pictures);

}  // namespace awry::input
