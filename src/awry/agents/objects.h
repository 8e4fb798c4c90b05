// SPDX-License-Identifier: Apache-2.0
// What the perceiver saw, draft by draft, and the one list that its drafts become.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/parse/anomalies.h"
#include "awry/parse/parsed.h"

namespace awry::agents {

struct SceneObject {
  std::string id;                 // "o1": place in the list
  std::string name, description;  // of the most detailed draft
  bool is_person = false;
  std::vector<std::string> seen;  // "perceive.1/3": draft and place in it, for each draft that has it
};

// "#Name#: description" lines, or JSON: {"objects": [{"name", "description"}]}, a list, or {name:
// description}.
Result<parse::Parsed<std::vector<parse::ObjectLine>>> read_objects(std::string_view reply);

struct Draft {
  std::string id;  // "perceive.1"
  std::vector<parse::ObjectLine> objects;
};

// Two entries of different drafts that may be the same thing: near, but not near enough to join unasked.
struct DoubtfulPair {
  parse::ObjectLine first, second;
  bool operator==(const DoubtfulPair&) const = default;
};

struct MergedObjects {
  std::vector<SceneObject> objects;  // people first, otherwise as first seen
  std::vector<DoubtfulPair> doubtful;
  std::size_t left_out = 0;  // beyond the limit
};

// Entries of one draft stay apart, unless they are equal; between drafts an entry joins at most one. `same`
// holds those doubtful pairs of an earlier call that were decided to be one thing.
MergedObjects merge_drafts(std::span<const Draft> drafts, std::size_t max_objects,
                           std::span<const DoubtfulPair> same = {});

}  // namespace awry::agents
