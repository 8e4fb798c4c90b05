// SPDX-License-Identifier: Apache-2.0
// What one detector says of its input.
#pragma once

#include <vector>

#include "awry/records/finding.h"

namespace awry::inspectors::forensics {

struct Detection {
  std::vector<Finding> findings;  // most certain first
  bool undecided = false;         // something is there, but not enough to call it either way
  std::vector<Finding> leads;     // where, if it is undecided and has a place to name
};

}  // namespace awry::inspectors::forensics
