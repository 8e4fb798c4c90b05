// SPDX-License-Identifier: Apache-2.0
#include "awry/base/prompt_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "awry/base/files.h"
#include "awry/base/gaps.h"
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

Result<FoundPrompt> find_prompt(const std::string& own_folder, const std::string& name,
                                std::optional<std::string_view> ours) {
  const fs::path own = fs::path(own_folder) / name;
  std::error_code error;
  if (!own_folder.empty() && fs::exists(own, error)) {
    AWRY_TRY_ASSIGN(std::string text, read_file(own));
    return FoundPrompt{own.string(), std::move(text)};
  }
  if (!ours) return fail({.kind = ErrorKind::kNotFound, .what = "there is no prompt", .input = name});
  return FoundPrompt{name, std::string(*ours)};
}

Result<void> check_gaps(const FoundPrompt& prompt, std::span<const std::string_view> known,
                        std::span<const std::string_view> needed) {
  const std::vector<std::string_view> present = gaps_in(prompt.text);
  for (const std::string_view gap : present) {
    if (std::ranges::find(known, gap) != known.end()) continue;
    return fail(
        unusable(prompt.place, fmt::format("nothing is known to fill the gap '{{{}}}'", gap),
                 known.empty() ? "It has no gaps." : fmt::format("Known are {}.", fmt::join(known, ", "))));
  }
  for (const std::string_view gap : needed) {
    if (std::ranges::find(present, gap) != present.end()) continue;
    return fail(unusable(prompt.place, fmt::format("it lacks the gap '{{{}}}'", gap),
                         "Without it the question would not say what is asked about."));
  }
  return {};
}

}  // namespace awry
