// SPDX-License-Identifier: Apache-2.0
// Captions among the text blocks of a page.
//
// The layout analysis often tears a caption apart: its lines become blocks of their own, and so does what
// stands behind "Figure 1:" after a wider space. What continues a caption is put back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "awry/input/pdf_document.h"

namespace awry::input {

struct CaptionBlock {
  std::size_t block = 0, first_line = 0;  // where it begins
  std::vector<std::size_t> further;       // blocks that continue it
  std::string label, number, text;
  Box box;
  bool punctuated = false;
  bool bare = false;  // a label alone on its line: mostly the end of a sentence, "see Figure 3."

  bool covers(std::size_t other) const {
    return other == block || std::ranges::find(further, other) != further.end();
  }
};
std::vector<CaptionBlock> captions_of(const PdfPage& page);

// Lines joined into a text, with words that were broken at line ends made whole.
std::string joined_lines(std::span<const TextLine> lines);

}  // namespace awry::input
