// SPDX-License-Identifier: Apache-2.0
// Curves over ordered levels, as SVG that stands alone: inside a page it takes the page's ink, as a file it
// is black on white.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace awry::report {

struct Curve {
  std::string label;
  std::vector<std::optional<double>> values;  // one for each level; gaps break the line
};

struct LineChart {
  std::string title;
  std::vector<std::string> levels;  // from left to right, evenly spaced
  std::vector<Curve> curves;
};

// Each curve has a colour and a mark of its own, named below the chart.
std::string svg_line_chart(const LineChart& chart);

}  // namespace awry::report
