// SPDX-License-Identifier: Apache-2.0
// What an assessor's reply says of one image: <think>...</think> \boxed{{"Whether Normal": ...}}.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/magicmirror/labels.h"

namespace awry::benchmarks::magicmirror {

struct Verdict {
  LabelSet labels;
  // What the authors' checker makes of the reply; nullopt where it calls the format invalid. It wants the
  // last \boxed{}, strict JSON, the exact key "Type of Deformity", and each L3 in a list under its own L2.
  std::optional<LabelSet> as_released;
  std::vector<std::string> tolerated;  // what had to be overlooked to read `labels`
};

// Keeps its buffers from one reply to the next: use one for a whole file.
class VerdictReader {
 public:
  VerdictReader();
  ~VerdictReader();
  VerdictReader(VerdictReader&&) noexcept;
  VerdictReader& operator=(VerdictReader&&) noexcept;

  // Also reads bare JSON, Python's True and False, "Type of Abnormality", labels without their "L2: ", and
  // the other ways loose_json.h knows. A verdict that contradicts itself, an L3 under a foreign L2 and a
  // label nobody knows are errors with the reason.
  Result<Verdict> read(std::string_view reply);

 private:
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace awry::benchmarks::magicmirror
