// SPDX-License-Identifier: Apache-2.0
// How hard a set is: forgeries are made until an inspector finds one, or misses one.
//
// Authentic questions are kept as they come: an inspector cannot miss what is not there. Who looked, what it
// said of every candidate, and which questions were left out, is recorded in the set.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "awry/base/result.h"
#include "awry/forge/themis_item.h"

namespace awry::forge {

enum class Keep { kBoth, kMissed, kFound };  // both: everything, with what the inspector said
std::string_view name_of(Keep keep);         // "missed"
std::optional<Keep> keep_named(std::string_view name);

struct Selection {
  Keep keep = Keep::kBoth;
  std::string inspector;    // with its version: "forensics 4"
  int max_candidates = 12;  // forged for one question before it is left out
  // Whether the inspector finds what is wrong with the item, the `candidate`th one of its question, from 0.
  // nullopt: it cannot answer such questions, so they are kept. Called from several threads.
  std::function<Result<std::optional<bool>>(const ThemisItem&, int candidate)> finds;
};

}  // namespace awry::forge
