// SPDX-License-Identifier: Apache-2.0
// Duplications asked for by name: "global:horizontal_flip", or stacked, "local:scaling+rotation_180+hue".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "awry/forge/duplicate.h"

namespace awry::forge {

// The nine things that can be done to a whole panel, and what else to a part of one: the sixteen operations
// of the paper, each of which is a request of its own.
std::vector<std::string> duplication_requests();

struct DuplicationRequest {
  bool local = false;
  bool scaled = false;
  DuplicationPlan turns;  // nothing else of it is set
  std::vector<Adjustment> retouches;
};

// At most two turns and two different retouches; scaling only of parts; "direct" alone.
Result<DuplicationRequest> duplication_request(std::string_view text);

// Amounts and windows at random, the operations as asked for.
DuplicationPlan plan_for(const DuplicationRequest& request, RandomStream random);

}  // namespace awry::forge
