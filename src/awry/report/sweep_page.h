// SPDX-License-Identifier: Apache-2.0
// How scores fall as images are damaged more and more: one chart for each metric and kind of damage, one
// curve for each task.
#pragma once

#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/records/run.h"
#include "awry/records/scoring.h"
#include "awry/report/line_chart.h"

namespace awry::report {

struct SweepLevel {
  std::string name;  // "clean", "blur:2"
  std::string run_id;
  Summary summary;
};

struct SweepInput {
  Run run;  // of the clean images
  // For each kind of damage its levels, the clean images first.
  std::vector<std::pair<std::string, std::vector<SweepLevel>>> damages;
};

// Groups of metrics are tasks; breakdowns are left out. A metric without groups is one curve by itself.
std::vector<LineChart> sweep_charts(const SweepInput& input);

// The charts with their numbers, as one page without network or other files.
std::string render_sweep(const SweepInput& input);

}  // namespace awry::report
