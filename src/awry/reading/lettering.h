// SPDX-License-Identifier: Apache-2.0
// The words in a picture, read by the tesseract program. Optional: without it figures are only seen.
#pragma once

#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/imaging/image.h"
#include "awry/records/region.h"

namespace awry::reading {

struct Word {
  std::string text;
  Box box;                // in pixels of the picture
  double confidence = 0;  // 0 to 100, as tesseract says
  int line = 0;           // words of one line share it
};

enum class Layout {
  kScattered,  // labels anywhere: figures
  kPage,       // columns of text: scanned pages
  kLine,       // one line of letters
};

struct LetteringOptions {
  Layout layout = Layout::kScattered;
  // Small pictures are enlarged to at least this, since letters below some 20 pixels are misread.
  int min_long_edge = 1400;
  std::string alphabet;  // the only letters there can be; all when empty
};

// In the order of the page. kNotFound when tesseract is not installed.
Result<std::vector<Word>> read_lettering(const imaging::Image& image, const LetteringOptions& options = {});

bool can_read_lettering();

}  // namespace awry::reading
