// SPDX-License-Identifier: Apache-2.0
// Whoever answers questions: today the embedded inspectors, with room for endpoints and recordings.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "awry/base/result.h"
#include "awry/benchmarks/protocol.h"
#include "awry/records/asking.h"
#include "awry/records/sample.h"

namespace awry::pipeline {

class Model {
 public:
  virtual ~Model() = default;
  virtual std::string name() const = 0;      // as asked for: "forensics"
  virtual std::string identity() const = 0;  // changes whenever its replies may change: part of every key

  // Always a reply: what went wrong is in its outcome. Thread-safe.
  virtual Reply answer(const Sample& sample, const Question& question) const = 0;
};

// "forensics" is the embedded inspector. The protocol must outlive the model.
Result<std::unique_ptr<Model>> make_model(std::string_view name, const benchmarks::Protocol& protocol);

}  // namespace awry::pipeline
