// SPDX-License-Identifier: Apache-2.0
// The protocols' prompts and published tables, carried inside the binary.
#pragma once

#include <optional>
#include <string_view>

namespace awry::benchmarks {

// By path relative to this folder: "themis/prompts/smf_il.txt".
std::optional<std::string_view> embedded_file(std::string_view path);

}  // namespace awry::benchmarks
