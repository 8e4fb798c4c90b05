// SPDX-License-Identifier: Apache-2.0
// Plots as inline SVG. Colours come from the page (classes of report.css and currentColor), so one
// drawing serves light, dark and paper.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "awry/records/scoring.h"

namespace awry::report {

struct Axis {
  double low = 0, high = 1;
  double step = 0.2;
  std::size_t ticks() const;  // how many labelled positions, both ends included
};
// Round numbers around [low, high]: steps of 1, 2 or 5 times a power of ten.
Axis nice_axis(double low, double high);

struct Bar {
  std::string label;
  double value = 0;  // not finite: the row says "n/a" and shows no bar
  std::optional<Interval> interval;
};
struct BarChart {
  std::string title;
  std::vector<Bar> bars;
  bool counts = false;  // whole numbers of something: written without decimals, and no share of anything
};
// Horizontal bars from 0, one row each, with a whisker over the interval and the value at the right.
std::string svg_bar_chart(const BarChart& chart);

struct Bin {
  double low = 0, high = 0;  // [low, high), the last one [low, high]
  std::size_t count = 0;
};
// Values that are not finite belong to no bin.
std::vector<Bin> bin_values(const std::vector<double>& values);

struct Histogram {
  std::string title;
  std::vector<Bin> bins;
  std::string axis = "score (height: number of samples)";
};
std::string svg_histogram(const Histogram& histogram);

}  // namespace awry::report
