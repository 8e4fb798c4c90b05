// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace awry {

void append_base64(std::string& out, std::string_view bytes);

// Nothing for what is not base64, of either alphabet. Line breaks are allowed, padding is not required.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace awry
