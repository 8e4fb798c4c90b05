// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/tgad/text_prompts.h"

#include <fmt/format.h>

#include "awry/base/json.h"
#include "awry/benchmarks/embedded_files.h"

namespace awry::benchmarks::tgad {

Result<std::vector<TextPrompt>> text_prompts(std::optional<int> scenario) {
  constexpr const char* kFile = "tgad/text_prompts.json";
  AWRY_TRY_ASSIGN(const Json file, parse_json(embedded_file(kFile).value_or(""), kFile));
  std::vector<TextPrompt> prompts;
  for (const Json& row : file.at("prompts")) {
    if (scenario && row.at("scenario") != *scenario) continue;
    prompts.push_back({.scenario = row.at("scenario"),
                       .of = row.at("of"),
                       .variant = row.at("variant"),
                       .text = row.value("text", ""),
                       .focus = row.value("focus", std::vector<std::string>()),
                       .contrast = row.value("contrast", std::vector<std::string>()),
                       .keyword = row.value("keyword", "")});
  }
  return prompts;
}

}  // namespace awry::benchmarks::tgad
