// SPDX-License-Identifier: Apache-2.0
// Verdict: what a person or a judge model says of one finding.
#pragma once

#include <string>

#include "awry/records/finding.h"
#include "awry/records/unknown_fields.h"

namespace awry {

enum class Decision { kAccept, kReject, kUnsure };

struct Verdict {
  std::string id;
  std::string finding_id;
  Decision decision = Decision::kUnsure;
  Author by{.kind = AuthorKind::kPerson};
  std::string note;
  std::string created;  // UTC
  UnknownFields unknown;
  bool operator==(const Verdict&) const = default;
};

}  // namespace awry
