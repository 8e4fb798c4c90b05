// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/http.h"

#include <ranges>

#include "awry/base/text.h"

namespace awry::inspectors::vlm {

std::optional<std::string_view> find_header(const Headers& headers, std::string_view name) {
  for (const Header& header : std::views::reverse(headers)) {
    if (equals_ignoring_case(header.name, name)) return header.value;
  }
  return std::nullopt;
}

}  // namespace awry::inspectors::vlm
