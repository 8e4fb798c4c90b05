// SPDX-License-Identifier: Apache-2.0
// Figures composed of painted panels, with every panel's place known.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "awry/base/random.h"
#include "awry/imaging/image.h"
#include "awry/records/region.h"

namespace awry::perf {

enum class Composition {
  kGrid,           // equal cells, white gutters, letters above the panels
  kUnevenGrid,     // rows of different heights and numbers of panels
  kNarrowGutters,  // pictures two to four pixels apart
  kTouching,       // pictures without any gap
  kLettersInside,  // letters drawn into the panels, in white or black
  kSingle,         // one panel: nothing to cut
};
inline constexpr std::array kAllCompositions = {Composition::kGrid,          Composition::kUnevenGrid,
                                                Composition::kNarrowGutters, Composition::kTouching,
                                                Composition::kLettersInside, Composition::kSingle};
std::string_view name_of(Composition composition);

struct ComposedFigure {
  imaging::Image image;
  std::vector<Box> panels;    // in reading order
  std::vector<char> letters;  // of the panels; empty when none are drawn
};
// The same composition and stream give the same figure.
ComposedFigure compose_figure(Composition composition, RandomStream random);

}  // namespace awry::perf
