// SPDX-License-Identifier: Apache-2.0
#include "targets.h"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace awry::fuzz {

std::span<const Target> targets() {
  static constexpr std::array<Target, 13> kTargets = {{{"anomalies", run_anomalies},
                                                       {"blocks", run_blocks},
                                                       {"boxed", run_boxed},
                                                       {"boxes", run_boxes},
                                                       {"choices", run_choices},
                                                       {"lists", run_lists},
                                                       {"loose_json", run_loose_json},
                                                       {"object_lines", run_object_lines},
                                                       {"replies", run_replies},
                                                       {"sentences", run_sentences},
                                                       {"severity", run_severity},
                                                       {"tags", run_tags},
                                                       {"think", run_think}}};
  return kTargets;
}

const Target* target_named(std::string_view name) {
  for (const Target& target : targets()) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", property);
  std::abort();
}

}  // namespace awry::fuzz
