// SPDX-License-Identifier: Apache-2.0
// --model-arg key=value: what the user sets beside the question, typed as the JSON it becomes.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "awry/base/result.h"

namespace awry::inspectors::vlm {

// Sorted by name, so that the same arguments always give the same bytes and the same reply key.
struct ModelArgs {
  std::map<std::string, std::string> values;  // name -> JSON text

  std::string canonical() const;  // {"seed":7,"temperature":0}
  bool operator==(const ModelArgs&) const = default;
};

// Values are read as JSON where they are JSON (7, 0.2, true, null, {"a":1}, "7") and as text otherwise.
// Arguments that every endpoint knows must have their type; what awry itself writes (model, messages,
// stream, n) is refused; all others go to the endpoint as they are.
Result<ModelArgs> parse_model_args(std::span<const std::string> args);

// The same arguments with the limit on the reply's length doubled, or nothing when there is no limit.
std::optional<ModelArgs> with_doubled_limit(const ModelArgs& args);

}  // namespace awry::inspectors::vlm
