// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/cave/wording.h"

#include <fmt/format.h>

#include "awry/base/files.h"
#include "awry/benchmarks/embedded_files.h"

namespace awry::benchmarks::cave {
namespace {

Result<std::string> prompt_file(const std::string& name, const Options& options) {
  if (!options.prompts.empty()) {
    const std::filesystem::path own = std::filesystem::path(options.prompts) / name;
    std::error_code error;
    if (std::filesystem::exists(own, error)) return read_file(own);
  }
  const auto ours = embedded_file("cave/prompts/" + name);
  if (!ours) return fail({.kind = ErrorKind::kNotFound, .what = "there is no prompt", .input = name});
  return std::string(*ours);
}

// The word in braces at `open`; "" where the braces are text.
std::string_view gap_at(std::string_view text, std::size_t open) {
  const std::size_t close = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", open + 1);
  if (close == std::string_view::npos || text[close] != '}') return "";
  return text.substr(open + 1, close - open - 1);
}

}  // namespace

Result<std::string> worded(const std::string& name, const Gaps& gaps, const Options& options) {
  AWRY_TRY_ASSIGN(const std::string text, prompt_file(name, options));
  std::string filled;
  // In one pass, so that braces in a description are never taken for gaps.
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('{', at);
    if (open == std::string::npos) return filled.append(text, at);
    filled.append(text, at, open - at);
    const std::string_view gap = gap_at(text, open);
    if (gap.empty()) {
      filled += '{';
      at = open + 1;
      continue;
    }
    const auto value = gaps.find(gap);
    if (value == gaps.end()) {
      return fail({.kind = ErrorKind::kUsage,
                   .what = "cannot use the prompt",
                   .input = name,
                   .why = fmt::format("nothing is known to fill the gap '{{{}}}'", gap)});
    }
    filled += value->second;
    at = open + gap.size() + 2;
  }
  return filled;
}

}  // namespace awry::benchmarks::cave
