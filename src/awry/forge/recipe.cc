// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/recipe.h"

namespace awry::forge {

SeedPath SeedPath::child(std::string_view label) const {
  SeedPath path = *this;
  path.labels.emplace_back(label);
  return path;
}

SeedPath SeedPath::child(std::uint64_t index) const {
  return child(std::to_string(index));
}

RandomStream SeedPath::stream() const {
  RandomStream stream(seed);
  for (const std::string& label : labels) stream = stream.fork(label);
  return stream;
}

std::string SeedPath::text() const {
  std::string text = std::to_string(seed);
  for (const std::string& label : labels) text.append("/").append(label);
  return text;
}

}  // namespace awry::forge
