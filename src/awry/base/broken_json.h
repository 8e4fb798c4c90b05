// SPDX-License-Identifier: Apache-2.0
// For readers with a JSON parser of their own that has refused a text: where it is broken, and what to do.
#pragma once

#include <string_view>

#include "awry/base/result.h"

namespace awry {

// Only `why` and `hint` are set. `otherwise` is what the other parser said, for texts that parse_json() would
// take.
Error explain_broken_json(std::string_view text, std::string_view otherwise);

}  // namespace awry
