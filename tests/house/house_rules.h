// SPDX-License-Identifier: Apache-2.0
// The rules of the house plan, as functions on text so that they can be tested themselves.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace awry::house {

struct Module {
  std::set<std::string> uses, test_uses;
};
using Modules = std::map<std::string, Module>;

// Lines "name : used modules : modules used by tests only", lists separated by semicolons.
Modules read_modules(std::string_view text);

// The module a path below src/awry belongs to: the longest declared name that is a prefix of its folder.
std::string module_of(std::string_view path, const Modules& modules);

// One sentence for each #include "awry/..." that the module's USES do not allow, and for each outside
// header away from its home.
std::vector<std::string> violations_in(std::string_view path, std::string_view source,
                                       const Modules& modules);

// A module that can be reached from itself, or empty.
std::string find_cycle(const Modules& modules);

}  // namespace awry::house
