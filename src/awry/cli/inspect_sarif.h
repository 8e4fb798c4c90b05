// SPDX-License-Identifier: Apache-2.0
// What `awry inspect` found as SARIF 2.1.0, for code hosts and editors: one result per finding, and a
// notification for every file that could not be read.
#pragma once

#include <string>
#include <string_view>

#include "awry/cli/inspect_output.h"

namespace awry::cli {

std::string inspection_sarif(const InspectionResults& results, std::string_view version);

}  // namespace awry::cli
