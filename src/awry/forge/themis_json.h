// SPDX-License-Identifier: Apache-2.0
// Forged items as JSON: the released fields, and everything else about them. Include from .cc files.
#pragma once

#include <map>
#include <string>

#include "awry/base/json.h"
#include "awry/forge/themis_item.h"

namespace awry::forge {

// Exactly the fields of the release, in its order.
Json question_json(const ThemisItem& item);

// `hashes`: SHA-256 of each file of the item, by path.
Json metadata_json(const ThemisItem& item, const std::map<std::string, std::string>& hashes);

}  // namespace awry::forge
