// SPDX-License-Identifier: Apache-2.0
// How a forgery was made, in enough detail to make it again: where its random numbers came from, and what
// was done.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/random.h"

namespace awry::forge {

// The name of a random stream as data: {7, {"splicing", "3"}} is RandomStream(7).fork("splicing").fork("3").
struct SeedPath {
  std::uint64_t seed = 0;
  std::vector<std::string> labels;

  SeedPath child(std::string_view label) const;
  SeedPath child(std::uint64_t index) const;
  RandomStream stream() const;
  std::string text() const;  // "7/splicing/3"
  bool operator==(const SeedPath&) const = default;
};

struct Operation {
  std::string name;                        // "otsu", "paste", "horizontal_flip"
  std::map<std::string, double> settings;  // in the unit each name says: "blur_px", "angle_degrees"
  bool operator==(const Operation&) const = default;
};

struct Recipe {
  SeedPath seed;
  std::vector<Operation> operations;  // in the order applied
  bool operator==(const Recipe&) const = default;
};

}  // namespace awry::forge
