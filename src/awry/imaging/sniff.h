// SPDX-License-Identifier: Apache-2.0
// What a file that is no readable image looks like, so that the error can say it.
#pragma once

#include <string>

#include "awry/imaging/codec.h"

namespace awry::imaging {

struct Sniffed {
  std::string looks_like;       // "plain text", "a GIF image"
  bool is_other_image = false;  // well-formed, but of a format that awry does not read
};
Sniffed sniff_content(Bytes bytes);

}  // namespace awry::imaging
