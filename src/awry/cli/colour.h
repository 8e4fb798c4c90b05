// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "awry/cli/common_options.h"
#include "awry/cli/environment.h"

namespace awry::cli {

// An explicit --colour wins, then NO_COLOR, then CLICOLOR_FORCE; else colour on terminals that have it.
bool wants_colour(ColourChoice choice, const Environment& environment, bool is_terminal);

}  // namespace awry::cli
