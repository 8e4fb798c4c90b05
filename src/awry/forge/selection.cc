// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/selection.h"

#include <cstdlib>

namespace awry::forge {

std::string_view name_of(Keep keep) {
  switch (keep) {
    case Keep::kBoth:
      return "both";
    case Keep::kMissed:
      return "missed";
    case Keep::kFound:
      return "found";
  }
  std::abort();
}

std::optional<Keep> keep_named(std::string_view name) {
  for (const Keep keep : {Keep::kBoth, Keep::kMissed, Keep::kFound}) {
    if (name_of(keep) == name) return keep;
  }
  return std::nullopt;
}

}  // namespace awry::forge
