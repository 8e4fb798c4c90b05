// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/colour.h"

namespace awry::cli {

bool wants_colour(ColourChoice choice, const Environment& environment, bool is_terminal) {
  if (choice != ColourChoice::kAuto) return choice == ColourChoice::kAlways;
  if (environment.find("NO_COLOR")) return false;
  if (environment.value_or("CLICOLOR_FORCE", "0") != "0") return true;
  return is_terminal && environment.value_or("TERM", "dumb") != "dumb";
}

}  // namespace awry::cli
