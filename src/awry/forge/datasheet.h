// SPDX-License-Identifier: Apache-2.0
// A page that shows what a forged set holds: examples of every category, and how everything is distributed.
#pragma once

#include <string>

#include "awry/base/json.h"

namespace awry::forge {

// `metadata` is that of the set, with its items. The page links to pictures by their paths in the set, and
// loads nothing from elsewhere.
std::string datasheet_html(const Json& metadata);

}  // namespace awry::forge
