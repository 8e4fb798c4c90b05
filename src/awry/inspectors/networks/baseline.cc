// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/inspectors/networks/bert_score.h"

namespace awry::inspectors::networks {

Result<Baseline> read_baseline(const std::filesystem::path& path, std::int64_t layer) {
  const auto refuse = [&](std::string why) {
    return fail({.what = "cannot use baseline", .input = path.string(), .why = std::move(why)});
  };
  AWRY_TRY_ASSIGN(const std::string text, read_file(path, 1 << 20));
  const std::vector<std::string_view> lines = split_lines(text);
  if (lines.empty() || trim(lines.front()) != "LAYER,P,R,F") {
    return refuse("its first line is not 'LAYER,P,R,F'");
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string_view> cells = split(trim(lines[i]), ',');
    if (cells.size() != 4 || parse_integer(trim(cells[0])) != layer) continue;
    std::array<float, 3> numbers{};
    for (std::size_t j = 0; j < 3; ++j) {
      const auto number = parse_double(trim(cells[j + 1]));
      if (!number || !(*number > -1 && *number < 1)) {
        return refuse(fmt::format("line {} does not have three numbers below 1", i + 1));
      }
      numbers[j] = static_cast<float>(*number);
    }
    return Baseline{numbers[0], numbers[1], numbers[2]};
  }
  return refuse(fmt::format("it has no line for layer {}", layer));
}

}  // namespace awry::inspectors::networks
