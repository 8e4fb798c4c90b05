// SPDX-License-Identifier: Apache-2.0
// What an embedded inspector says of a sample: findings, and what it could not decide.
//
// It does not know how any protocol words its answers: a protocol's `phrase` turns an Inspection into the
// reply text that a model would have written, so that detectors and models are scored alike.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/records/finding.h"
#include "awry/records/sample.h"

namespace awry::inspectors {

struct Inspection {
  std::vector<Finding> findings;       // most certain first
  std::vector<std::string> undecided;  // types it looked for but will not call either way
  // Where, if it had to say: of undecided types only, and never reported as findings. Protocols that score
  // places apart from types ask for it.
  std::vector<Finding> leads;
};

class Inspector {
 public:
  virtual ~Inspector() = default;
  virtual std::string name() const = 0;     // "forensics"
  virtual std::string version() const = 0;  // changes whenever its answers may change: part of the reply key

  // Looks at the images with these indices: one alone, or two as a pair. Const and thread-safe.
  virtual Result<Inspection> inspect(const Sample& sample, std::span<const int> images) const = 0;
};

}  // namespace awry::inspectors
