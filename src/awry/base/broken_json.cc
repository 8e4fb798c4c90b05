// SPDX-License-Identifier: Apache-2.0
#include "awry/base/broken_json.h"

#include <fmt/format.h>

#include "awry/base/json.h"

namespace awry {

Error explain_broken_json(std::string_view text, std::string_view otherwise) {
  const auto parsed = parse_json(text, "");
  const std::string why = parsed ? std::string(otherwise) : parsed.error().why;
  return {.why = fmt::format("the JSON is broken or cut off: {}", why),
          .hint = parsed ? std::string() : parsed.error().hint};
}

}  // namespace awry
