// SPDX-License-Identifier: Apache-2.0
// What `awry inspect` found, in the forms people and programs read.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "awry/cli/table.h"
#include "awry/pipeline/inspect_images.h"
#include "awry/report/bands.h"

namespace awry::cli {

using report::Band;
using report::band_of;
using report::name_of;

struct InspectionResults {
  std::span<const pipeline::InspectedImage> images;  // each looked at alone
  std::span<const pipeline::InspectedImage> pairs;   // panels that share content
};

// Faint findings only with Fold::kNo.
enum class Fold { kNo, kYes };
Table inspection_table(const InspectionResults& results, Fold faint);

std::string inspection_json(const InspectionResults& results);
std::string inspection_json_lines(const InspectionResults& results);

// In a few words: how much of the image, or which sentence; and what speaks for the finding.
std::string describe_where(const Finding& finding);
std::string describe_evidence(const Finding& finding);
std::string attribute(const Sample& sample, const std::string& name);  // "" when there is none

}  // namespace awry::cli
