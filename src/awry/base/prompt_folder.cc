// SPDX-License-Identifier: Apache-2.0
#include "awry/base/prompt_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "awry/base/text.h"

namespace awry {
namespace {

namespace fs = std::filesystem;

Error unusable(std::string place, std::string why, std::string hint) {
  return {.kind = ErrorKind::kUsage,
          .what = "cannot use the prompt",
          .input = std::move(place),
          .why = std::move(why),
          .hint = std::move(hint)};
}

}  // namespace

Result<void> check_prompt_names(const std::string& folder, const std::vector<std::string>& known) {
  std::error_code error;
  fs::directory_iterator files(folder, error);
  if (error) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "cannot read the folder of prompts",
                 .input = folder,
                 .why = error.message()});
  }
  for (; !error && files != fs::directory_iterator(); files.increment(error)) {
    const std::string name = files->path().filename().string();
    if (!name.ends_with(".txt") || std::ranges::find(known, name) != known.end()) continue;
    const auto meant = did_you_mean(name, known);
    return fail(unusable(files->path().string(), "no prompt has this name",
                         meant ? fmt::format("Did you mean '{}'?", *meant)
                               : fmt::format("Known are {}.", fmt::join(known, ", "))));
  }
  return {};
}

Error has_unknown_gap(std::string place, std::string_view gap, std::span<const std::string_view> known) {
  return unusable(std::move(place), fmt::format("nothing is known to fill the gap '{{{}}}'", gap),
                  known.empty() ? "It has no gaps." : fmt::format("Known are {}.", fmt::join(known, ", ")));
}

Error lacks_gap(std::string place, std::string_view gap) {
  return unusable(std::move(place), fmt::format("it lacks the gap '{{{}}}'", gap),
                  "Without it the question would not say what is asked about.");
}

}  // namespace awry
