// SPDX-License-Identifier: Apache-2.0
// Reads simple charts: bars or lines over categories, with a numbered vertical axis and a legend of colours.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "awry/imaging/image.h"
#include "awry/reading/lettering.h"

namespace awry::inspectors::forensics {

struct ReadSeries {
  std::string name;                           // from the legend
  std::vector<std::optional<double>> values;  // one a category; absent where nothing could be measured
};

struct ReadChart {
  std::size_t categories = 0;  // ticks of the horizontal axis
  std::vector<ReadSeries> series;
  double axis_range = 0;  // from the lowest to the highest number of the vertical axis
};

// nullopt unless axes, at least three numbers of the vertical one, and ticks of the other were found.
std::optional<ReadChart> read_chart(const imaging::Image& figure, std::span<const reading::Word> words);

}  // namespace awry::inspectors::forensics
