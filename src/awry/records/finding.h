// SPDX-License-Identifier: Apache-2.0
// The heart of awry: what a detector reports, a model claims, a forger plants, a person confirms and a
// scorer compares is one and the same record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "awry/records/region.h"
#include "awry/records/unknown_fields.h"

namespace awry {

enum class AuthorKind { kDetector, kModel, kForger, kPerson };

struct Author {
  AuthorKind kind = AuthorKind::kDetector;
  std::string name;     // "forensics/copy_move", "openai:gpt-5", "maria"
  std::string version;  // may be empty
  bool operator==(const Author&) const = default;
};

// One observation that speaks for (or against) the finding, in words and, where there is one, a number.
struct Evidence {
  std::string kind;  // "keypoint_matches"
  std::string note;  // "143 keypoints agree on one rotation"
  std::optional<double> value;
  bool operator==(const Evidence&) const = default;
};

struct Finding {
  std::string id;

  // where
  int image = 0;  // index into Sample::images; a Pair names its two images itself
  Where where = WholeImage{};

  // what
  std::string type;                // the protocol's label: "copy_move", "L2: Abnormal Human Anatomy"
  std::string name;                // the thing concerned: "left hand"; may be empty, as may the next two
  std::string phenomenon;          // what is seen
  std::string reasoning;           // why that is wrong
  std::optional<double> severity;  // 0 = impossible ... 100 = fully realistic (AnomReason's scale)

  // how sure: at most one of the two is usually given
  std::optional<double> probability;   // calibrated, 0..1
  std::optional<double> false_alarms;  // expected number of such detections in an authentic image

  std::vector<Evidence> evidence;
  Author by;
  UnknownFields unknown;
  bool operator==(const Finding&) const = default;
};

}  // namespace awry
