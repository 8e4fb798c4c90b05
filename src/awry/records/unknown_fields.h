// SPDX-License-Identifier: Apache-2.0
// Fields that a newer version wrote and this one does not know: carried along, so that reading and
// writing a record never loses them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace awry {

struct UnknownFields {
  std::vector<std::pair<std::string, std::string>> raw;  // name, value as JSON text
  bool operator==(const UnknownFields&) const = default;
};

}  // namespace awry
