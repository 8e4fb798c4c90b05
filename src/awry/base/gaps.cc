// SPDX-License-Identifier: Apache-2.0
#include "awry/base/gaps.h"

namespace awry {
namespace {

// The word in braces at `open`; "" where the braces are text.
std::string_view gap_at(std::string_view text, std::size_t open) {
  const std::size_t close = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", open + 1);
  if (close == std::string_view::npos || text[close] != '}') return "";
  return text.substr(open + 1, close - open - 1);
}

}  // namespace

std::vector<std::string_view> gaps_in(std::string_view text) {
  std::vector<std::string_view> gaps;
  for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
    if (const std::string_view gap = gap_at(text, open); !gap.empty()) gaps.push_back(gap);
  }
  return gaps;
}

std::string fill_gaps(std::string_view text, const Gaps& gaps) {
  std::string filled;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('{', at);
    if (open == std::string_view::npos) return filled.append(text.substr(at));
    filled.append(text.substr(at, open - at));
    const std::string_view gap = gap_at(text, open);
    if (gap.empty()) {
      filled += '{';
    } else if (const auto value = gaps.find(gap); value != gaps.end()) {
      filled += value->second;
    }
    at = open + (gap.empty() ? 1 : gap.size() + 2);
  }
  return filled;
}

}  // namespace awry
