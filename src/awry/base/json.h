// SPDX-License-Identifier: Apache-2.0
// JSON at the edges. Inside awry only records travel; include this from .cc files.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "awry/base/result.h"

namespace awry {

// Objects keep the order in which fields were written, so records read the way they are declared.
using Json = nlohmann::ordered_json;

inline constexpr int kMaxJsonDepth = 200;  // deeper documents are attacks or accidents

// Errors name `source`, the line and the column.
Result<Json> parse_json(std::string_view text, std::string_view source);
Result<Json> read_json_file(const std::filesystem::path& path);

// Invalid UTF-8 in strings becomes U+FFFD: writing never throws.
std::string dump_json(const Json& json);         // one line
std::string dump_json_pretty(const Json& json);  // two-space indent, final newline
Result<void> write_json_file(const std::filesystem::path& path, const Json& json);

}  // namespace awry
